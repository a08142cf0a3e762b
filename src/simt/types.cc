#include "simt/types.h"

namespace lk::simt {
namespace {
struct Row { Ty k; int size; Type machine; int rank; bool is_unsigned; const char* name; };
constexpr Row rows[] = {
    {Ty::bad, 0, Type::s32, 0, false, "(unknown)"}, {Ty::void_, 0, Type::s32, 0, false, "void"}, {Ty::bool_, 1, Type::pred, 1, true, "bool"},
    {Ty::char_, 1, Type::s8, 2, false, "char"}, {Ty::schar, 1, Type::s8, 2, false, "signed char"}, {Ty::uchar, 1, Type::u8, 2, true, "unsigned char"},
    {Ty::short_, 2, Type::s16, 3, false, "short"}, {Ty::ushort, 2, Type::u16, 3, true, "unsigned short"}, {Ty::int_, 4, Type::s32, 4, false, "int"},
    {Ty::uint, 4, Type::u32, 4, true, "unsigned int"}, {Ty::long_, 8, Type::s64, 5, false, "long"}, {Ty::ulong, 8, Type::u64, 5, true, "unsigned long"},
    {Ty::llong, 8, Type::s64, 6, false, "long long"}, {Ty::ullong, 8, Type::u64, 6, true, "unsigned long long"}, {Ty::half, 2, Type::f16, 0, false, "__half"},
    {Ty::bf16, 2, Type::bf16, 0, false, "__nv_bfloat16"}, {Ty::half2, 4, Type::f16x2, 0, false, "__half2"}, {Ty::bf162, 4, Type::bf16x2, 0, false, "__nv_bfloat162"},
    {Ty::float_, 4, Type::f32, 0, false, "float"}, {Ty::double_, 8, Type::f64, 0, false, "double"},
};
const Row& row(Ty k) { return rows[k <= Ty::double_ ? size_t(k) : 0]; }
}  // namespace

TypeTable::TypeTable() {
  basic_.resize(size_t(Ty::count_));
  for (size_t k = 0; k < basic_.size(); ++k) {
    basic_[k].k = Ty(k);
    basic_[k].size = row(Ty(k)).size;
    basic_[k].align = std::max(1, row(Ty(k)).size);
  }
  basic_[size_t(Ty::null_pointer)].size = 8;
  basic_[size_t(Ty::null_pointer)].align = 8;
}

const CType* TypeTable::pointer(const CType* to, uint8_t quals) {
  quals &= q_const | q_volatile;
  const CType*& slot = index_[0][{to, quals}];
  if (!slot) {
    auto t = std::make_unique<CType>();
    t->k = Ty::pointer;
    t->of = to;
    t->quals = quals;
    t->size = 8;
    t->align = 8;
    slot = t.get();
    made_.push_back(std::move(t));
  }
  return slot;
}

const CType* TypeTable::array(const CType* of, int64_t n) {
  const CType*& slot = index_[1][{of, n}];
  if (!slot) {
    auto t = std::make_unique<CType>();
    t->k = Ty::array;
    t->of = of;
    t->n = n;
    t->size = of->size * n;
    t->align = of->align;
    slot = t.get();
    made_.push_back(std::move(t));
  }
  return slot;
}

const CType* TypeTable::enumeration(const EnumDecl* e, const CType* underlying) {
  const CType*& slot = index_[2][{e, 0}];
  if (!slot) {
    auto t = std::make_unique<CType>();
    t->k = Ty::enumeration;
    t->e = e;
    t->of = underlying;
    t->size = underlying->size;
    t->align = underlying->align;
    slot = t.get();
    made_.push_back(std::move(t));
  }
  return slot;
}

const CType* TypeTable::lambda(const FunctionDecl* f) {
  const CType*& slot = index_[3][{f, 0}];
  if (!slot) {
    auto t = std::make_unique<CType>();
    t->k = Ty::lambda;
    t->lambda = f;
    slot = t.get();
    made_.push_back(std::move(t));
  }
  return slot;
}

CType* TypeTable::structure(StructInfo* info) {
  auto t = std::make_unique<CType>();
  t->k = Ty::structure;
  t->s = info;
  made_.push_back(std::move(t));
  return made_.back().get();
}

void TypeTable::add_parts(const CType* t, int64_t at, std::vector<Part>& out) {
  if (int64_t(out.size()) > most_parts) return;
  if (t->k == Ty::array) {
    for (int64_t i = 0; i < t->n && int64_t(out.size()) <= most_parts; ++i) add_parts(t->of, at + i * t->of->size, out);
  } else if (t->k == Ty::structure) {
    for (const Field& f : t->s->fields) add_parts(f.type, at + f.offset, out);
  } else {
    out.push_back({at, t});
  }
}

const std::vector<Part>& TypeTable::parts(const CType* t) {
  auto [it, fresh] = parts_.try_emplace(t);
  if (fresh) {
    add_parts(t, 0, it->second);
    if (int64_t(it->second.size()) > most_parts) it->second.clear();
  }
  return it->second;
}

bool is_unsigned(const CType* t) { return t->k == Ty::enumeration ? is_unsigned(t->of) : t->k == Ty::pointer || row(t->k).is_unsigned; }
int rank(const CType* t) { return t->k == Ty::enumeration ? rank(t->of) : row(t->k).rank; }
Type machine_type(const CType* t) {
  if (t->k == Ty::pointer || t->k == Ty::null_pointer) return Type::u64;
  return t->k == Ty::enumeration ? machine_type(t->of) : row(t->k).machine;
}
Type memory_type(const CType* t) {
  const Type m = machine_type(t);
  return m == Type::pred ? Type::u8 : m;
}

std::string spelled(const CType* t, uint8_t quals) {
  std::string q = std::string(quals & q_const ? "const " : "") + (quals & q_volatile ? "volatile " : "");
  switch (t->k) {
    case Ty::pointer: {
      if (t->of->k == Ty::array) return q + spelled(t->of->of, t->quals) + " (*)[" + std::to_string(t->of->n) + "]";
      return spelled(t->of, t->quals) + "*" + (q.empty() ? "" : " " + q.substr(0, q.size() - 1));
    }
    case Ty::array: {
      std::string dims;
      const CType* e = t;
      for (; e->k == Ty::array; e = e->of) dims += "[" + std::to_string(e->n) + "]";
      return q + spelled(e) + dims;
    }
    case Ty::structure: return q + t->s->name;
    case Ty::enumeration: return q + (t->e->name.empty() ? "enum" : std::string(t->e->name));
    case Ty::lambda: return "a lambda";
    case Ty::null_pointer: return "nullptr_t";
    default: return q + row(t->k).name;
  }
}

}  // namespace lk::simt
