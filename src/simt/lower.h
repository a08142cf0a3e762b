// From the syntax tree to instructions: types, overloads, templates and inlining are resolved while a kernel is walked.
//
// Values that are known while walking (constants, indices of unrolled loops) are followed through local variables, so that
// arrays whose indices are all known live in registers. What that needs to know beforehand (which variables a loop assigns,
// which arrays are indexed at run time) is learned by walking the kernel again until nothing new is found.
#pragma once
#include <array>
#include <deque>
#include <optional>
#include <set>

#include "simt/fold.h"
#include "simt/ir.h"
#include "simt/types.h"

namespace lk::simt {

struct Var;

/// A scalar: in a register, known, or the address of something that lives in registers.
struct Operand {
  enum Kind : uint8_t { none, reg, number, cells };
  Kind k = none;
  int r = -1;
  uint64_t bits = 0;
  Var* var = nullptr;          // cells
  int64_t offset = 0;
  static Operand of(int r) { Operand o; o.k = reg; o.r = r; return o; }
  static Operand known(uint64_t bits) { Operand o; o.k = number; o.bits = bits; return o; }
  bool is_number() const { return k == number; }
  bool same(const Operand& o) const { return k == o.k && r == o.r && bits == o.bits && var == o.var && offset == o.offset; }
};

struct Cell {
  Part part;
  int reg = -1;
  Var* owner = nullptr;
  bool known = false;
  Operand value;               // when known
};

enum class Form : uint8_t { none, scalar, aggregate, memory, cells };

struct Value {
  const CType* t = nullptr;
  Form form = Form::none;
  Operand s;                   // scalar; memory: the address
  std::vector<Operand> parts;  // aggregate: one for each part of the type
  int64_t offset = 0;          // memory: added to the address; cells: the place in the variable
  Space space = Space::generic;
  Var* var = nullptr;          // cells
  uint8_t quals = 0;
  bool readonly = false;       // const __restrict__ or __ldg
  int half = -1;               // .x or .y of a half2 that is an lvalue
  bool literal_zero = false;
  Scope* scope = nullptr;      // of a lambda
  bool bad() const { return form == Form::none; }
  bool lvalue() const { return form == Form::memory || form == Form::cells; }
};

struct Var {
  std::string_view name;
  const void* key = nullptr;   // its declaration: the same in every copy
  const CType* type = nullptr;
  uint8_t quals = 0;
  bool is_constant = false;    // const or constexpr with a known value
  enum Where : uint8_t { in_cells, in_memory, alias } where = in_cells;
  std::vector<Cell> cells;
  Value place;                 // in_memory and alias
  bool restricted = false;
  int serial = 0;
};

struct Symbol {
  enum Kind : uint8_t { variable, constant, type } kind = variable;
  Var* var = nullptr;
  const CType* t = nullptr;    // of a constant, or the type
  uint64_t bits = 0;
  uint8_t quals = 0;
};

struct Scope {
  Scope* parent = nullptr;
  std::vector<std::pair<std::string_view, Symbol>> names;
  StructInfo* owner = nullptr;     // methods: members are found here
  Var* self = nullptr;             // *this
};

struct Candidate {
  FunctionDecl* f = nullptr;
  Scope* scope = nullptr;      // its template arguments
  std::vector<const CType*> types;   // of the parameters
  std::vector<uint8_t> quals;
  std::vector<uint8_t> refs;   // 1 reference, 2 const reference
};

class Lower {
 public:
  Lower(Unit& unit, Problems& problems, Program& program, const CompileOptions& options);
  /// Walks a kernel. False when it has errors.
  bool kernel(FunctionDecl* f, const std::vector<TemplateArgument>& arguments, const std::string& name);
  void check_assertions();

 private:
  struct Frame {               // of an inlined function
    FunctionDecl* f = nullptr;
    Frame* up = nullptr;
    const CType* result_type = nullptr;
    bool result_reference = false;
    Var* result = nullptr;
    Value reference;
    bool returned = false, used = false, deduced = false;
    int structure = 0;
    size_t journal = 0, loops = 0;
    Scope* scope = nullptr;
  };
  struct Loop { bool is_switch = false, continued = false; int flag = -1; };
  struct Change { Cell* cell; bool known; Operand value; };
  std::map<const void*, int> weights_;

  // lower.cc: registers, instructions, known values
  int new_reg(Type t) { body_.regs.push_back({t, 1, 0}); return int(body_.regs.size()) - 1; }
  int new_group(Type t, int n);
  int reg(const Operand& o, Type t);
  int constant_reg(uint64_t bits, Type t);
  Operand special(Special s);
  Operand emit(Op op, Type t, Operand a = {}, Operand b = {}, Operand c = {}, Type from = Type::pred);
  Inst& push(Op op, Type t, int d = -1, int a = -1, int b = -1, int c = -1, int64_t imm = 0);
  void move_to(int d, const Operand& o, Type t);
  uint32_t place();
  void set_known(Cell& c, bool known, const Operand& v);
  void forget(size_t mark);
  void forget_key(const void* key);
  bool too_much(const Span& at);
  bool emit_kernel(Kernel& k, const Span& at);

  // lower_type.cc
  struct Typed { const CType* t; uint8_t quals; int reference; bool restricted; };
  Typed resolve(const TypeNode* n, Scope* scope, const CType* deduce = nullptr);
  const CType* struct_type(StructDecl* d, const std::vector<TemplateArgument>* arguments, Scope* scope, const Span& at);
  const CType* enum_type(EnumDecl* e, Scope* scope);
  bool bind_templates(const std::vector<TemplateParameter>& parameters, const std::vector<TemplateArgument>& arguments, Scope* from, Scope* into, const Span& at);
  void declare_constants(StructInfo* info);
  std::string arguments_text(const std::vector<TemplateParameter>& parameters, const Scope* scope);
  const Symbol* find(std::string_view name, Scope* scope);
  std::optional<int64_t> constant(const Expr* e, Scope* scope, const char* what);
  Value constant_value(const Expr* e, Scope* scope, const char* what, const CType* to = nullptr);
  const Symbol* global(std::string_view name, const Span& at);
  const Symbol* enumerator(const EnumDecl* e, std::string_view name);
  const Symbol* enumerator(std::string_view name);

  // lower_stmt.cc
  void statement(const Stmt* s, bool tail);
  void block(const Stmt* s, bool tail);
  void if_statement(const Stmt* s, bool tail);
  void loop_statement(const Stmt* s);
  bool unroll(const Stmt* s);
  void switch_statement(const Stmt* s);
  void return_statement(const Stmt* s, bool tail);
  void declaration(const VarDecl* d);
  void shared_variable(const VarDecl* d, const Typed& t);
  Var* new_var(std::string_view name, const void* key, const CType* t, uint8_t quals);
  void make_cells(Var& v);
  void initialize(Var& v, const VarDecl* d);
  void initialize_at(Value target, const Expr* init);
  void initialize_list(const Value& target, const std::vector<Expr*>& list, size_t& next, bool braced, const Span& at);
  void zero(const Value& target);
  Value var_value(Var& v);
  void jump_continue(const Span& at);
  void learn(std::set<const void*>& keys, size_t mark, int serial);
  int weight(const Stmt* s);
  int weight(const Expr* e);
  bool breaks(const Stmt* s, bool in_switch);
  bool indexes_registers(const Stmt* s, const std::set<std::string_view>& names);
  bool indexes_registers(const Expr* e, const std::set<std::string_view>& names);
  static Value sub(const Value& v, int64_t offset, const CType* t);
  std::vector<std::pair<Cell*, Change>> end_branch(size_t mark);
  void merge(std::vector<std::pair<Cell*, Change>>& one, std::vector<std::pair<Cell*, Change>>& two);

  // lower_expr.cc, lower_operator.cc
  Value expr(const Expr* e);
  Value expr_inner(const Expr* e);
  Value name(const Expr* e);
  Value unary(const Expr* e);
  Value postfix(const Expr* e);
  Value binary(const Expr* e);
  Value assign(const Expr* e);
  Value conditional(const Expr* e);
  Value logical(const Expr* e);
  Value subscript(const Expr* e);
  Value member(const Expr* e);
  Value cast(const Expr* e);
  Value construct(const Expr* e);
  Value construct_type(const CType* t, const std::vector<Expr*>& list, bool braced, const Span& at);
  Value literal(const Expr* e);
  Value arithmetic(std::string_view op, Value a, Value b, const Span& at);
  Value pointer_arithmetic(std::string_view op, const Value& a, const Value& b, const Span& at);
  Value compare(std::string_view op, Value a, Value b, const Span& at);
  Operand divide(bool remainder, Type t, const Operand& a, const Operand& b);
  Value user_operator(std::string_view op, const std::vector<Value>& args, const Span& at, bool& found);
  Operand condition(const Expr* e);
  Operand truth(const Value& v, const Span& at);
  Operand offset_address(const Operand& base, const Operand& index, const CType* index_type, int64_t size);
  bool has_effects(const Expr* e);
  bool cheap(size_t from, size_t to) const;
  Value special_variable(std::string_view n, const Span& at);
  Value field(const Value& v, std::string_view n, const Span& at);
  Value step(const Value& target, bool up, const Span& at);
  const CType* promoted(const CType* t);
  const CType* common(const CType* a, const CType* b);

  // lower_value.cc
  Value rvalue(Value v);
  Value scalar_value(const CType* t, Operand o) { Value v; v.t = t; v.form = Form::scalar; v.s = o; return v; }
  Value number(const CType* t, uint64_t bits) { return scalar_value(t, Operand::known(bits)); }
  Value decay(Value v);
  Value convert(Value v, const CType* to, const Span& at, bool is_explicit = false);
  Operand convert_scalar(Operand o, const CType* from, const CType* to);
  Operand converted(const Value& v, const CType* to, const Span& at) { return convert(v, to, at).s; }
  void store(const Value& target, Value v, const Span& at);
  void store_parts(const Value& target, const std::vector<Operand>& parts);
  Operand load_cell(Var& v, int64_t offset, const CType* t, bool& ok);
  bool store_cell(Var& v, int64_t offset, const CType* t, const Operand& o);
  Cell* cell_at(Var& v, int64_t offset);
  Operand load_memory(const Value& v, int64_t offset, const CType* t);
  void store_memory(const Value& v, int64_t offset, const CType* t, const Operand& o);
  void access_flags(Inst& i, const Value& v);
  Value address_of(const Value& v, const Span& at);
  Value dereference(const Value& pointer, const Span& at);
  void need_memory(Var* v);
  int vector_width(const CType* t);
  Operand half_part(const Operand& packed, int which);
  Operand half_join(const Operand& low, const Operand& high);
  Operand materialize(const Operand& o, Type t);
  Value spill(const Value& v);   // a temporary variable that holds it
  Value bad_value() { return {}; }
  bool compatible_pointers(const CType* from, const CType* to, bool is_explicit);

  // lower_call.cc
  Value call(const Expr* e);
  Value call_function(Candidate& c, const std::vector<Value>& args, const Span& at, Value* self = nullptr);
  Value call_lambda(const Value& f, const std::vector<Value>& args, const Span& at);
  Value inline_body(Candidate& c, const std::vector<Value>& args, const Span& at, Value* self, Scope* parent);
  bool viable(FunctionDecl* f, Scope* outer, const std::vector<Value>& args, const std::vector<TemplateArgument>* explicit_arguments, Candidate& out, std::string& why);
  bool deduce(const TypeNode* n, const CType* t, FunctionDecl* f, Scope* into, Scope* outer);
  int conversion_rank(const Value& v, const CType* to, uint8_t quals, int reference);
  bool resolve_call(const std::vector<FunctionDecl*>& all, Scope* outer, const std::vector<Value>& args, const std::vector<TemplateArgument>* explicit_arguments,
                    const Span& at, std::string_view name, Candidate& out, bool quiet = false);
  std::vector<Value> arguments(const std::vector<Expr*>& list);
  Scope* new_scope(Scope* parent);
  void unknown_name(std::string_view name, const Span& at, bool function);

  // lower_builtin.cc
  Value builtin(Candidate& c, std::vector<Value> args, const Span& at);
  Value special_call(const Expr* e, bool& done);
  Operand shuffle(Op op, const Operand& mask, const Operand& v, const CType* t, const Operand& lane, const Operand& width);
  Value atomic(Op op, const Candidate& c, std::vector<Value>& args, const Span& at);

  struct At {                  // names the place of what is emitted
    At(Lower& l, const Span& s, bool prelude) : l_(l), old_(l.at_) { if (!prelude && !l.in_prelude_) l.at_ = s; }
    ~At() { l_.at_ = old_; }
    Lower& l_;
    Span old_;
  };
  struct Deeper {
    explicit Deeper(Lower& l) : l_(l) { ++l_.depth_; }
    ~Deeper() { --l_.depth_; }
    Lower& l_;
  };
  static constexpr int max_depth = 1500;

  void error(const Span& at, std::string what, std::string hint = "");
  void warning(const Span& at, std::string what, std::string hint = "");

  Unit& unit_;
  Problems& problems_;
  Program& program_;
  const CompileOptions& options_;
  TypeTable types_;
  Body body_;
  Kernel* kernel_ = nullptr;
  std::deque<Var> vars_;
  std::vector<Var*> live_;
  std::deque<Scope> scopes_;
  Scope unit_scope_;
  Scope* scope_ = nullptr;
  Frame* frame_ = nullptr;
  std::vector<Loop> loops_;
  std::vector<Change> journal_;
  int structure_ = 0, depth_ = 0, calls_ = 0, inline_depth_ = 0, serial_ = 0;
  bool dead_ = false, again_ = false, in_prelude_ = false, stopped_ = false, scratch_ = false;
  int constant_serial_ = -1;   // while a constant expression is evaluated: younger variables are its own
  bool not_constant_ = false;
  Span at_;
  int inlined_ = -1;
  int64_t local_bytes_ = 0;
  uint64_t emitted_ = 0;       // over all attempts
  std::unordered_map<uint64_t, int> constants_;
  std::map<std::pair<int, uint64_t>, int> constant_regs_;
  std::map<int, int> specials_;
  std::map<std::array<int, 5>, uint32_t> places_;
  // Learned from earlier walks.
  std::set<const void*> memory_;                          // variables that need an address
  std::map<const Stmt*, std::set<const void*>> assigned_; // by loops
  std::map<std::pair<const void*, const CType*>, Var*> shared_;
  std::map<const void*, int64_t> local_at_;
  std::map<const EnumDecl*, std::vector<Symbol>> enums_;
  std::map<std::string_view, std::pair<const EnumDecl*, size_t>> enumerators_;
  std::map<std::string, const CType*> struct_types_;
  std::map<std::string_view, Symbol> globals_;
  std::set<std::string_view> in_progress_;
  friend struct At;
};

}  // namespace lk::simt
