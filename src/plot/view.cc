#include "plot/view.h"

namespace lk::plot {

const Num* View::find(std::string_view id) const {
  for (const Named& named : out)
    if (named.id == id) return &named.num;
  return nullptr;
}

}  // namespace lk::plot
