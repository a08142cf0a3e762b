// A small assembler of kernels for tests of the machine: instructions by name, structure by nesting, registers handed out in order.
#pragma once
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "simt/code.h"
#include "simt/run.h"

namespace lk::simt::test {

class Assembler {
 public:
  explicit Assembler(std::string name = "kernel") {
    kernel_.name = std::move(name);
    program_.file = "test.cu";
    program_.places.push_back({1, 1, 1, 2, -1});
  }

  // Registers.
  uint16_t unit(Type type = Type::s32, int count = 1) {
    const auto at = static_cast<uint16_t>(kernel_.units);
    kernel_.units += units(type) * count;
    return at;
  }

  // Parameters, in order. A pointer's unit pair holds the address.
  uint16_t pointer(const std::string& name, Type element = Type::f32, bool constant = false) {
    Parameter p;
    p.name = name;
    p.pointer = true;
    p.constant = constant;
    p.element = element;
    return parameter(p, Type::u64);
  }
  uint16_t scalar(const std::string& name, Type type) {
    Parameter p;
    p.name = name;
    return parameter(p, type);
  }

  // Instructions. Each returns its index in the code.
  size_t emit(Instr i) {
    i.place = place_;
    program_.code.push_back(i);
    return program_.code.size() - 1;
  }
  size_t emit(Op op, Type type = Type::s32, uint16_t d = 0, uint16_t a = 0, uint16_t b = 0, uint16_t c = 0, int32_t imm = 0) {
    Instr i;
    i.op = op;
    i.type = type;
    i.d = d;
    i.a = a;
    i.b = b;
    i.c = c;
    i.imm = imm;
    return emit(i);
  }
  uint16_t op(Op op, Type type, uint16_t a = 0, uint16_t b = 0, uint16_t c = 0, int32_t imm = 0) {
    const bool one = (op >= Op::eq && op <= Op::ge) || op == Op::is_nan || op == Op::is_inf;
    const uint16_t d = unit(one ? Type::pred : type);
    emit(op, type, d, a, b, c, imm);
    return d;
  }
  uint16_t constant(Type type, uint64_t bits) {
    program_.constants.push_back(bits);
    return op(Op::constant, type, 0, 0, 0, static_cast<int32_t>(program_.constants.size() - 1));
  }
  uint16_t number(int32_t v) { return constant(Type::s32, static_cast<uint32_t>(v)); }
  uint16_t number(float v) { return constant(Type::f32, __builtin_bit_cast(uint32_t, v)); }
  uint16_t special(Special s) { return op(Op::special, Type::u32, 0, 0, 0, static_cast<int32_t>(s)); }
  uint16_t convert(Type to, Type from, uint16_t a) {
    const uint16_t d = unit(to);
    Instr i;
    i.op = Op::convert;
    i.type = to;
    i.from = from;
    i.d = d;
    i.a = a;
    emit(i);
    return d;
  }
  // base + index * size, index being s32.
  uint16_t address(uint16_t base, uint16_t index, int size) {
    const uint16_t wide = convert(Type::s64, Type::s32, index);
    return op(Op::fma, Type::u64, wide, constant(Type::u64, static_cast<uint64_t>(size)), base);
  }
  uint16_t shared_base(uint64_t offset = 0) { return constant(Type::u64, shared_window + offset); }
  uint16_t local_base() { return constant(Type::u64, local_window); }
  uint16_t global_index() {
    return op(Op::fma, Type::s32, special(Special::block_x), special(Special::block_dim_x), special(Special::thread_x));
  }
  uint16_t load(Type type, Space space, uint16_t address, int count = 1, int32_t imm = 0, uint8_t flags = 0) {
    const uint16_t d = unit(type, count);
    memory(Op::load, type, space, d, address, 0, count, imm, flags);
    return d;
  }
  size_t store(Type type, Space space, uint16_t address, uint16_t value, int count = 1, int32_t imm = 0) {
    return memory(Op::store, type, space, 0, address, value, count, imm);
  }
  size_t memory(Op op, Type type, Space space, uint16_t d, uint16_t a, uint16_t b, int count = 1, int32_t imm = 0, uint8_t flags = 0, uint16_t c = 0) {
    Instr i;
    i.op = op;
    i.type = type;
    i.space = space;
    i.d = d;
    i.a = a;
    i.b = b;
    i.c = c;
    i.count = static_cast<uint8_t>(count);
    i.imm = imm;
    i.flags = flags;
    return emit(i);
  }
  size_t sync() { return emit(Op::sync_block); }

  // Structure.
  void branch(uint16_t pred, const std::function<void()>& then, const std::function<void()>& otherwise = nullptr) {
    emit(Op::if_, Type::pred, 0, pred);
    then();
    if (otherwise) {
      emit(Op::else_);
      otherwise();
    }
    emit(Op::end_if);
  }
  // for (i = begin; i < end; i += step) body(i)
  void loop(uint16_t i, uint16_t begin, uint16_t end, uint16_t step, const std::function<void()>& body) {
    emit(Op::move, Type::s32, i, begin);
    emit(Op::loop);
    emit(Op::loop_test, Type::pred, 0, op(Op::lt, Type::s32, i, end));
    body();
    emit(Op::loop_next);
    emit(Op::add, Type::s32, i, i, step);
    emit(Op::loop_back);
    emit(Op::loop_end);
  }
  // while (condition()) body()
  void repeat(const std::function<uint16_t()>& condition, const std::function<void()>& body) {
    emit(Op::loop);
    emit(Op::loop_test, Type::pred, 0, condition());
    body();
    emit(Op::loop_next);
    emit(Op::loop_back);
    emit(Op::loop_end);
  }

  // From here on instructions stand in this line of the source.
  void line(int number) {
    program_.places.push_back({number, 1, number, 2, -1});
    place_ = static_cast<uint32_t>(program_.places.size() - 1);
  }

  Kernel& kernel() { return kernel_; }
  const Program& finish() {
    emit(Op::exit);
    kernel_.begin = 0;
    kernel_.end = static_cast<int>(program_.code.size());
    program_.kernels = {kernel_};
    return program_;
  }

 private:
  uint16_t parameter(Parameter p, Type type) {
    p.value = type;
    p.type = p.pointer ? "pointer" : "number";
    p.offset = (kernel_.parameter_bytes + bytes(type) - 1) / bytes(type) * bytes(type);
    kernel_.parameter_bytes = p.offset + bytes(type);
    const uint16_t d = op(Op::parameter, type, 0, 0, 0, p.offset);
    kernel_.parameters.push_back(std::move(p));
    return d;
  }

  Program program_;
  Kernel kernel_;
  uint32_t place_ = 0;
};

template <class T>
Buffer buffer(std::string name, const std::vector<T>& values) {
  Buffer b;
  b.name = std::move(name);
  b.bytes.resize(values.size() * sizeof(T));
  if (!values.empty()) std::memcpy(b.bytes.data(), values.data(), b.bytes.size());
  return b;
}
template <class T>
std::vector<T> values(const Buffer& b) {
  std::vector<T> out(b.bytes.size() / sizeof(T));
  if (!out.empty()) std::memcpy(out.data(), b.bytes.data(), out.size() * sizeof(T));
  return out;
}
inline Argument buffer_argument(int k, uint64_t offset = 0) { return {k, offset, 0}; }
inline Argument number_argument(uint64_t bits) { return {-1, 0, bits}; }

/// A launch whose buffers are the pointer parameters in order.
inline Launch launch(Extent grid, Extent block, std::vector<Buffer> buffers, std::vector<Argument> more = {}) {
  Launch l;
  l.grid = grid;
  l.block = block;
  for (size_t k = 0; k < buffers.size(); ++k) l.arguments.push_back(buffer_argument(static_cast<int>(k)));
  for (const Argument& a : more) l.arguments.push_back(a);
  l.buffers = std::move(buffers);
  return l;
}

struct Outcome {
  Profile profile;
  std::vector<Buffer> buffers;
  Error error;                  // when it did not start
  bool started = false;
  int count(Kind kind) const {
    int n = 0;
    for (const Finding& f : profile.findings) n += f.kind == kind;
    return n;
  }
  const Finding* find(Kind kind) const {
    for (const Finding& f : profile.findings)
      if (f.kind == kind) return &f;
    return nullptr;
  }
  // Sums over the instructions of one kind.
  template <class T>
  uint64_t sum(const Program& program, Op op, T Counters::* member) const {
    uint64_t n = 0;
    for (size_t k = 0; k < profile.code.size(); ++k)
      if (program.code[static_cast<size_t>(program.kernels[0].begin) + k].op == op) n += profile.code[k].*member;
    return n;
  }
};

inline Outcome run(const Program& program, Launch launch, const Options& options = {}, uint64_t slice = 100000) {
  Outcome out;
  auto started = Run::start(program, program.kernels[0], std::move(launch), options);
  if (!started) {
    out.error = started.error();
    return out;
  }
  out.started = true;
  while ((*started)->advance(slice)) {
  }
  out.profile = (*started)->profile();
  out.buffers.assign((*started)->buffers().begin(), (*started)->buffers().end());
  return out;
}

}  // namespace lk::simt::test
