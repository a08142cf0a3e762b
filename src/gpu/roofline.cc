#include "gpu/roofline.h"

#include <algorithm>

namespace lk::gpu {

double attainable(double intensity, double peak, double bandwidth) { return std::min(peak, intensity * bandwidth); }

double ridge(double peak, double bandwidth) { return peak / bandwidth; }

}  // namespace lk::gpu
