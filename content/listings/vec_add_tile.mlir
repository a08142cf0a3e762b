// Vector addition in CUDA Tile IR: views know the length, tiles are values.
// Written from the documentation of Tile IR 13.5 and the dialect's definitions; not assembled or run.
cuda_tile.module @vec_add {
  // [kernel]
  entry @add_tiles(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>,
                   %c: tile<ptr<f32>>, %n: tile<i32>) {
    // n floats in a row behind each pointer ...
    %va = make_tensor_view %a, shape = [%n], strides = [1]
        : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %vb = make_tensor_view %b, shape = [%n], strides = [1]
        : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %vc = make_tensor_view %c, shape = [%n], strides = [1]
        : tile<i32> -> tensor_view<?xf32, strides=[1]>
    // ... cut into tiles of 1,024, the last of which may stick out.
    %pa = make_partition_view %va
        : partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>>
    %pb = make_partition_view %vb
        : partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>>
    %pc = make_partition_view %vc
        : partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>>

    %i, %j, %k = get_tile_block_id : tile<i32>
    %x, %t0 = load_view_tko weak %pa[%i]
        : partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>>, tile<i32>
        -> tile<1024xf32>, token
    %y, %t1 = load_view_tko weak %pb[%i]
        : partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>>, tile<i32>
        -> tile<1024xf32>, token
    %sum = addf %x, %y : tile<1024xf32>
    %t2 = store_view_tko weak %sum, %pc[%i]
        : tile<1024xf32>, partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>>,
          tile<i32> -> token
  }
  // [/kernel]
}
