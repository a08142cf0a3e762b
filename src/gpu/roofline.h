// The roofline: attainable = min(peak, intensity * bandwidth) (Williams, Waterman, Patterson, CACM 52(4), 2009).
#pragma once

namespace lk::gpu {

/// FLOP/s that `intensity` FLOP/B allows on a machine of `peak` FLOP/s and `bandwidth` B/s.
double attainable(double intensity, double peak, double bandwidth);
/// The intensity at which both limits meet, FLOP/B.
double ridge(double peak, double bandwidth);

}  // namespace lk::gpu
