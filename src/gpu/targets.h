// Which GPUs run what nvcc was told to compile for: machine code (sm_NN, a cubin) and PTX (compute_NN).
//
// Rules, from the CUDA Programming Guide, "Binary Compatibility" and "PTX Compatibility" (The CUDA platform) and "Feature Set
// Compiler Targets" (Compute Capabilities). They hold for GPUs on cards and boards; the guide excepts Tegra's (8.7, 11.0).
//   cubin sm_XY     same major version, minor version of the GPU Y or higher
//   PTX compute_XY  capability of the GPU X.Y or higher: the driver compiles it when it is loaded
//   suffix a        that one capability, cubin and PTX alike
//   suffix f        members of the target's family from its own version on, cubin and PTX alike
#pragma once
#include <compare>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace lk::gpu {

/// Compute capability, 9.0.
struct Capability {
  int major = 0, minor = 0;
  auto operator<=>(const Capability&) const = default;
};
std::string text(Capability capability);                         // "9.0"
std::optional<Capability> capability_of(std::string_view text);  // reads it

/// One image in a program.
struct Target {
  bool ptx = false;
  Capability capability;
  char features = 0;  // 0: those that later GPUs keep; 'f': the family's; 'a': all of this GPU's own
  bool operator==(const Target&) const = default;
};
std::string text(const Target& target);                  // "sm_90a", "compute_100f"
std::optional<Target> target_of(std::string_view text);  // reads it; nothing when nvcc could not mean it

/// The GPU can use this image: as it is, or, if it is PTX, compiled by the driver.
bool usable(const Target& image, Capability gpu);

enum class Fate : uint8_t {
  runs,      // a cubin fits
  compiles,  // no cubin fits, PTX does: just-in-time compilation by the driver
  fails,     // cudaErrorNoKernelImageForDevice
};

/// What a program that carries `images` does on a GPU, and the image it uses (none when it fails). Machine code goes before PTX,
/// the newest that fits before older ones, the more special of the same version before the more general.
struct Loaded {
  Fate fate = Fate::fails;
  const Target* image = nullptr;
};
Loaded load(std::span<const Target> images, Capability gpu);

}  // namespace lk::gpu
