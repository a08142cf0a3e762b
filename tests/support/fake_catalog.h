// Figures as the book sees them, with small models of their own: tests of the book need neither figures nor devices.
#pragma once
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/number.h"
#include "book/book.h"

namespace lk::test {

struct FakeDevice {
  std::string id, name;
  double bandwidth, bf16, fp8;  // B/s, FLOP/s; fp8 0: the device has none
};

inline const std::vector<FakeDevice>& fake_devices() {
  static const std::vector<FakeDevice> all = {
      {"a100_40gb", "A100 40 GB", 1.555e12, 312e12, 0}, {"h200", "H200 SXM", 4.8e12, 989.4e12, 1978.9e12}, {"b200", "B200", 8e12, 2250e12, 4500e12},
      {"tiny", "Tiny", 0.5e12, 1e15, 0}};
  return all;
}

/// roofline: device, dtype (bf16, fp8), intensity (0.01 to 10000) -> ridge, bandwidth; memory_transactions: stride (1 to 32),
/// offset (0 to 31) -> sectors, efficiency, the same on every device.
inline book::Catalog fake_catalog() {
  using book::Pairs;
  book::Catalog c;
  c.figures = [] { return std::vector<std::string>{"roofline", "memory_transactions"}; };
  c.fields = [](std::string_view figure) {
    return figure == "roofline" ? std::vector<std::string>{"device", "dtype", "intensity"} : std::vector<std::string>{"stride", "offset"};
  };
  c.results = [](std::string_view figure) {
    return figure == "roofline" ? std::vector<std::string>{"ridge", "bandwidth"} : std::vector<std::string>{"sectors", "efficiency"};
  };
  c.title = [](std::string_view figure) { return std::string(figure); };
  c.check = [](std::string_view, const Pairs& query) {
    std::vector<Error> out;
    for (const auto& [name, value] : query) {
      const double v = std::atof(value.c_str());
      if (name == "dtype" && value != "bf16" && value != "fp8") out.push_back({{}, "dtype cannot be `" + value + "`", "use bf16 or fp8"});
      if (name == "stride" && (v < 1 || v > 32)) out.push_back({{}, "stride = " + value + " is out of range", "use 1 to 32"});
      if (name == "intensity" && (v < 0.01 || v > 10000)) out.push_back({{}, "intensity = " + value + " is out of range", "use 0.01 to 10000"});
    }
    return out;
  };
  c.value = [](std::string_view figure, std::string_view result, const Pairs& query, std::string_view device) -> Result<book::Catalog::ValueText> {
    const FakeDevice* found = &fake_devices()[1];
    for (const FakeDevice& d : fake_devices()) {
      if (d.id == device) found = &d;
    }
    std::string dtype = "bf16";
    double stride = 1;
    for (const auto& [name, value] : query) {
      if (name == "dtype") dtype = value;
      if (name == "stride") stride = std::atof(value.c_str());
    }
    Num num;
    if (figure == "roofline" && result == "ridge") {
      const double peak = dtype == "fp8" ? found->fp8 : found->bf16;
      if (peak == 0) return Error{{}, "the " + found->name + " has no rate for fp8", {}};
      num = {peak / found->bandwidth, Unit::flop_per_byte, How::datasheet};
    } else if (figure == "roofline" && result == "bandwidth") {
      num = {found->bandwidth, Unit::bytes_per_s, How::datasheet};
    } else if (figure == "memory_transactions" && result == "sectors") {
      num = {std::min(32.0, 4 * stride), Unit::sectors, How::computed};
    } else if (figure == "memory_transactions" && result == "efficiency") {
      num = {1 / std::min(8.0, stride), Unit::percent, How::computed};
    } else {
      return Error{{}, "no such result", {}};
    }
    const Parts p = parts(num);
    return book::Catalog::ValueText{p.digits, p.unit, std::string(name(num.how)), plain(num.v)};
  };
  c.devices = [] {
    std::vector<book::Catalog::DeviceName> out;
    for (const FakeDevice& d : fake_devices()) out.push_back({d.id, d.name});
    return out;
  };
  c.default_device = "h200";
  return c;
}

}  // namespace lk::test
