// The types of CUDA C on a 64-bit GPU: sizes, layouts, conversions.
#pragma once
#include <map>
#include <memory>

#include "simt/ast.h"

namespace lk::simt {

enum class Ty : uint8_t {
  bad, void_, bool_, char_, schar, uchar, short_, ushort, int_, uint, long_, ulong, llong, ullong, half, bf16, half2, bf162, float_, double_,
  pointer, array, structure, enumeration, lambda, null_pointer, count_
};

enum Quals : uint8_t { q_const = 1, q_volatile = 2, q_restrict = 4 };

struct Scope;
struct StructInfo;

struct CType {
  Ty k = Ty::bad;
  const CType* of = nullptr;   // pointer, array; enumeration: the underlying type
  uint8_t quals = 0;           // of what a pointer points to
  int64_t n = 0;               // elements of an array
  StructInfo* s = nullptr;
  const EnumDecl* e = nullptr;
  const FunctionDecl* lambda = nullptr;
  int64_t size = 0;
  int align = 1;
};

struct Field {
  std::string_view name;
  const CType* type = nullptr;
  uint8_t quals = 0;
  int64_t offset = 0;
};

struct StructInfo {
  StructDecl* decl = nullptr;
  Scope* scope = nullptr;      // its template arguments, constants and aliases
  std::vector<Field> fields;
  bool vector = false;         // float4 and kin: one memory access
  std::string name;            // with template arguments
};

/// A scalar inside a type: where it lies and what it is.
struct Part {
  int64_t offset = 0;
  const CType* type = nullptr;
};

class TypeTable {
 public:
  TypeTable();
  const CType* basic(Ty k) const { return &basic_[size_t(k)]; }
  const CType* pointer(const CType* to, uint8_t quals);
  const CType* array(const CType* of, int64_t n);
  const CType* enumeration(const EnumDecl* e, const CType* underlying);
  const CType* lambda(const FunctionDecl* f);
  CType* structure(StructInfo* info);  // size and align are set by the caller
  StructInfo* new_info() { return infos_.emplace_back(std::make_unique<StructInfo>()).get(); }
  /// The scalars of a type in order of their places; nothing when there are more than 4,096.
  const std::vector<Part>& parts(const CType* t);
  static constexpr int64_t most_parts = 4096;

 private:
  void add_parts(const CType* t, int64_t at, std::vector<Part>& out);
  std::vector<CType> basic_;
  std::vector<std::unique_ptr<CType>> made_;
  std::vector<std::unique_ptr<StructInfo>> infos_;
  std::map<std::pair<const void*, int64_t>, const CType*> index_[4];
  std::map<const CType*, std::vector<Part>> parts_;
};

inline bool is_integer(const CType* t) { return (t->k >= Ty::bool_ && t->k <= Ty::ullong) || t->k == Ty::enumeration; }
inline bool is_half(const CType* t) { return t->k == Ty::half || t->k == Ty::bf16; }
inline bool is_packed(const CType* t) { return t->k == Ty::half2 || t->k == Ty::bf162; }
inline bool is_floating(const CType* t) { return t->k == Ty::float_ || t->k == Ty::double_ || is_half(t); }
inline bool is_arithmetic(const CType* t) { return is_integer(t) || t->k == Ty::float_ || t->k == Ty::double_; }
inline bool is_scalar(const CType* t) { return is_integer(t) || is_floating(t) || is_packed(t) || t->k == Ty::pointer || t->k == Ty::null_pointer; }
bool is_unsigned(const CType* t);
/// The type of a value in registers (bool: pred, pointers: u64).
Type machine_type(const CType* t);
/// The same in memory (bool: u8).
Type memory_type(const CType* t);
int rank(const CType* t);
/// "const float*", as a reader writes it.
std::string spelled(const CType* t, uint8_t quals = 0);

}  // namespace lk::simt
