#include "predict/request.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/number.h"
#include "predict/expression.h"
#include "simt/fill.h"

namespace lk::predict {
namespace {

using simt::Fill;
using simt::Type;

constexpr uint64_t most_bytes = uint64_t{1} << 32;  // of one array: beyond, sizes are typing mistakes

Error wrong(std::string what, std::string hint) { return {{}, std::move(what), std::move(hint)}; }

bool is_float(Type t) { return t == Type::f32 || t == Type::f64; }
bool is_signed(Type t) { return t == Type::s8 || t == Type::s16 || t == Type::s32 || t == Type::s64; }

/// The bits of a number in the parameter's type.
Result<uint64_t> scalar_bits(const simt::Parameter& p, std::string_view text, const Names& names) {
  uint64_t bits = 0;
  if (is_float(p.value)) {
    const auto v = read_number(text);
    if (!v) return wrong(p.name + "=" + std::string(text) + " is no number", "it is a " + p.type);
    if (p.value == Type::f64) {
      std::memcpy(&bits, &*v, 8);
    } else {
      const float f = static_cast<float>(*v);
      std::memcpy(&bits, &f, 4);
    }
    return bits;
  }
  if (p.value == Type::f16 || p.value == Type::bf16) return wrong(p.name + ": numbers of type " + p.type + " cannot be given", "pass an array of one");
  const auto v = evaluate(text, names);
  if (!v) return wrong(p.name + "=" + std::string(text) + ": " + v.error().what, v.error().hint.empty() ? "it is a " + p.type : v.error().hint);
  const int width = 8 * simt::bytes(p.value);
  const bool fits = width == 64 ? is_signed(p.value) || *v >= 0
                    : is_signed(p.value) ? *v >= -(int64_t{1} << (width - 1)) && *v < int64_t{1} << (width - 1)
                                         : *v >= 0 && *v < int64_t{1} << (p.value == Type::pred ? 1 : width);
  if (!fits) return wrong(p.name + "=" + std::to_string(*v) + " does not fit its type " + p.type, "");
  bits = static_cast<uint64_t>(*v);
  return width == 64 ? bits : bits & ((uint64_t{1} << width) - 1);
}

Result<simt::Buffer> array(const simt::Parameter& p, std::string_view text, const Names& names, uint64_t seed, const ReadFile& read) {
  simt::Buffer out;
  out.name = p.name;
  const std::string_view kind = text.substr(0, text.find(':'));
  std::string_view rest = kind.size() == text.size() ? std::string_view() : text.substr(kind.size() + 1);
  if (kind == "file") {
    auto bytes = read(std::string(rest));
    if (!bytes) return bytes.error();
    out.bytes.assign(bytes->begin(), bytes->end());
    return out;
  }
  const Fill fills[] = {Fill::nothing, Fill::zeros, Fill::ones, Fill::iota, Fill::random};
  const Fill* fill = std::find_if(std::begin(fills), std::end(fills), [&](Fill f) { return simt::name(f) == kind; });
  if (fill == std::end(fills))
    return wrong(p.name + "=" + std::string(text) + " is no array", "for example " + p.name + "=random:1048576; kinds are zeros, ones, iota, random, nothing and file");
  if (const size_t colon = rest.find(':'); colon != std::string_view::npos) {
    const auto given = evaluate(rest.substr(colon + 1), names);
    if (!given || *given < 0) return wrong(p.name + ": \"" + std::string(rest.substr(colon + 1)) + "\" is no seed", "a whole number from 0");
    seed = static_cast<uint64_t>(*given);
    rest = rest.substr(0, colon);
  }
  const auto count = evaluate(rest, names);
  if (!count) return wrong(p.name + ": the count \"" + std::string(rest) + "\": " + count.error().what, "for example " + p.name + "=" + std::string(kind) + ":1024");
  const uint64_t size = static_cast<uint64_t>(simt::bytes(p.element)) * static_cast<uint64_t>(p.element_count);
  if (*count < 0 || static_cast<uint64_t>(*count) > most_bytes / size) return wrong(p.name + " would have " + std::to_string(*count) + " elements", "an array has at most 4 GiB");
  out.bytes.resize(static_cast<size_t>(*count) * size);
  simt::fill(out.bytes, *fill, p.element, 0, seed);
  if (*fill == Fill::nothing) out.known.assign(out.bytes.size(), 0);
  return out;
}

}  // namespace

Result<const simt::Kernel*> find_kernel(const simt::Program& program, std::string_view name) {
  std::vector<std::string> names;
  std::string list;
  for (const simt::Kernel& k : program.kernels) names.push_back(k.name), list += (list.empty() ? "" : ", ") + k.name;
  if (program.kernels.empty()) return wrong("there is no kernel in the source", "a kernel is a __global__ function");
  if (name.empty()) {
    if (program.kernels.size() == 1) return &program.kernels.front();
    return wrong("the source has several kernels", "choose one of " + list);
  }
  if (const simt::Kernel* k = program.find(name)) return k;
  const std::string near = closest(name, names);
  return wrong("there is no kernel \"" + std::string(name) + '"', near.empty() ? "kernels are " + list : "did you mean " + near + "?");
}

Result<simt::Extent> read_extent(std::string_view text, std::string_view what, const Names& names) {
  simt::Extent out;
  uint32_t* const parts[] = {&out.x, &out.y, &out.z};
  size_t n = 0;
  // A comma inside parentheses belongs to a function.
  for (size_t start = 0, at = 0, depth = 0; at <= text.size(); ++at) {
    if (at < text.size() && text[at] == '(') ++depth;
    if (at < text.size() && text[at] == ')' && depth > 0) --depth;
    if (at < text.size() && (text[at] != ',' || depth > 0)) continue;
    if (n == 3) return wrong(std::string(what) + " \"" + std::string(text) + "\" has more than three parts", "for example 64 or 32,32");
    const auto v = evaluate(text.substr(start, at - start), names);
    if (!v) return wrong(std::string(what) + " \"" + std::string(text) + "\": " + v.error().what, v.error().hint.empty() ? "for example 64 or 32,32" : v.error().hint);
    if (*v < 1 || *v > 0x7fffffff) return wrong(std::string(what) + " \"" + std::string(text) + "\": " + std::to_string(*v) + " is out of range", "sizes go from 1 to 2,147,483,647");
    *parts[n++] = static_cast<uint32_t>(*v);
    start = at + 1;
  }
  return out;
}

Result<simt::Launch> make_launch(const simt::Kernel& kernel, const RunRequest& request, const ReadFile& read) {
  const auto given = [&](const std::string& name) -> const std::string* {
    for (const auto& [key, text] : request.arguments)
      if (key == name) return &text;
    return nullptr;
  };
  std::vector<std::string> parameters;
  for (const simt::Parameter& p : kernel.parameters) parameters.push_back(p.name);
  for (size_t i = 0; i < request.arguments.size(); ++i) {
    const std::string& name = request.arguments[i].first;
    for (size_t j = 0; j < i; ++j)
      if (request.arguments[j].first == name) return wrong("the argument " + name + " is given twice", "once is enough");
    if (std::find(parameters.begin(), parameters.end(), name) != parameters.end()) continue;
    const std::string near = closest(name, parameters);
    std::string list;
    for (const std::string& one : parameters) list += (list.empty() ? "" : ", ") + one;
    return wrong(kernel.name + " has no parameter \"" + name + '"', near.empty() ? "its parameters are " + list : "did you mean " + near + "?");
  }
  // Numbers first: counts of arrays may use them.
  Names names;
  for (const simt::Parameter& p : kernel.parameters)
    if (const std::string* text = given(p.name); text && !p.pointer && !is_float(p.value))
      if (const auto v = evaluate(*text, names)) names.emplace_back(p.name, *v);

  simt::Launch out;
  for (const simt::Parameter& p : kernel.parameters) {
    const std::string* text = given(p.name);
    if (!text) return wrong("the argument " + p.name + " is missing", p.pointer ? "it is an array: for example " + p.name + "=random:1024" : "it is a " + p.type + ": for example " + p.name + "=1024");
    simt::Argument a;
    if (p.pointer) {
      auto buffer = array(p, *text, names, out.arguments.size() + 1, read);
      if (!buffer) return buffer.error();
      a.buffer = static_cast<int>(out.buffers.size());
      out.buffers.push_back(std::move(*buffer));
    } else {
      const auto bits = scalar_bits(p, *text, names);
      if (!bits) return bits.error();
      a.bits = *bits;
    }
    out.arguments.push_back(a);
  }
  const auto grid = read_extent(request.grid, "the grid", names);
  if (!grid) return grid.error();
  const auto block = read_extent(request.block, "the block", names);
  if (!block) return block.error();
  const auto shared = evaluate(request.dynamic_shared.empty() ? "0" : request.dynamic_shared, names);
  if (!shared) return wrong("dynamic shared memory \"" + request.dynamic_shared + "\": " + shared.error().what, shared.error().hint);
  if (*shared < 0 || *shared > 1 << 20) return wrong("dynamic shared memory would be " + std::to_string(*shared) + " bytes", "from 0 to 1,048,576");
  out.grid = *grid;
  out.block = *block;
  out.dynamic_shared = static_cast<uint32_t>(*shared);
  return out;
}

std::vector<std::string> element_texts(const simt::Buffer& buffer, Type element, size_t begin, size_t count) {
  std::vector<std::string> out;
  const size_t size = static_cast<size_t>(simt::bytes(element));
  for (size_t i = begin; i < begin + count && (i + 1) * size <= buffer.bytes.size(); ++i) {
    const uint8_t* at = buffer.bytes.data() + i * size;
    if (!buffer.known.empty() && std::find(buffer.known.begin() + static_cast<std::ptrdiff_t>(i * size), buffer.known.begin() + static_cast<std::ptrdiff_t>((i + 1) * size), 0) !=
                                     buffer.known.begin() + static_cast<std::ptrdiff_t>((i + 1) * size)) {
      out.emplace_back("?");
      continue;
    }
    uint64_t bits = 0;
    std::memcpy(&bits, at, size);
    switch (element) {
      case Type::f32: {
        float v = 0;
        std::memcpy(&v, at, 4);
        // The fewest digits that give the same float, not the same double.
        std::string text;
        for (int digits = 6; digits <= 9; ++digits) {
          char buffer_text[32];
          std::snprintf(buffer_text, sizeof buffer_text, "%.*g", digits, static_cast<double>(v));
          text = buffer_text;
          const auto back = read_number(text);
          if (!std::isfinite(v) || (back && static_cast<float>(*back) == v)) break;
        }
        out.push_back(text);
        break;
      }
      case Type::f64: {
        double v = 0;
        std::memcpy(&v, at, 8);
        out.push_back(plain(v));
        break;
      }
      case Type::s8: out.push_back(std::to_string(static_cast<int8_t>(bits))); break;
      case Type::s16: out.push_back(std::to_string(static_cast<int16_t>(bits))); break;
      case Type::s32: out.push_back(std::to_string(static_cast<int32_t>(bits))); break;
      case Type::s64: out.push_back(std::to_string(static_cast<int64_t>(bits))); break;
      default: out.push_back(std::to_string(bits)); break;
    }
  }
  return out;
}

}  // namespace lk::predict
