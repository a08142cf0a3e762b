// The syntax tree of CUDA C: what was written, before types and templates are resolved.
#pragma once
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "simt/token.h"

namespace lk::simt {

struct Expr;
struct Stmt;
struct TypeNode;
struct FunctionDecl;
struct StructDecl;
struct EnumDecl;

struct TemplateArgument {
  TypeNode* type = nullptr;    // a type ...
  Expr* value = nullptr;       // ... or a value
};

enum class TypeForm : uint8_t { builtin, named, automatic, pointer, reference, array, structure, enumeration, of_expression };

struct TypeNode {
  TypeForm form = TypeForm::named;
  Span at;
  bool is_const = false, is_volatile = false, is_restrict = false;
  std::string_view name;       // builtin: its canonical spelling ("unsigned long"); named: the last part
  std::string_view qualifier;  // named: the part before the last ::
  bool has_arguments = false;
  std::vector<TemplateArgument> arguments;
  TypeNode* of = nullptr;      // pointer, reference, array
  Expr* extent = nullptr;      // array (null: [] ), of_expression
  StructDecl* structure = nullptr;
  EnumDecl* enumeration = nullptr;
};

enum class ExprForm : uint8_t {
  bad, integer, floating, boolean, null_pointer, text, character, name, unary, postfix, binary, assign, conditional, comma, call, subscript, member, cast,
  construct, list, size_of_type, size_of, lambda
};

struct Expr {
  ExprForm form = ExprForm::bad;
  bool prelude = false;
  bool braced = false;         // construct
  bool arrow = false;          // member
  bool has_arguments = false;  // name, member: f<...>
  int depth = 1;
  Span at;                     // the whole expression
  Span operator_at;            // binary, assign, call: the operator or the callee
  std::string_view text;       // literal, name, operator, member; cast: static_cast, ...
  std::string_view qualifier;
  std::vector<TemplateArgument> arguments;
  TypeNode* type = nullptr;    // cast, construct, size_of_type; the qualifier of a name when that is a type with arguments
  Expr *a = nullptr, *b = nullptr, *c = nullptr;
  std::vector<Expr*> list;     // call, construct, list
  FunctionDecl* lambda = nullptr;
};

struct VarDecl {
  std::string_view name;
  Span at;
  TypeNode* type = nullptr;
  Expr* init = nullptr;        // a list for {...}; a construct-like list for (...)
  bool parenthesized = false;  // (a, b)
  bool is_shared = false, is_extern = false, is_constant = false, is_constexpr = false, is_static = false;
  bool is_pack = false;
};

struct TemplateParameter {
  std::string_view name;
  Span at;
  TypeNode* type = nullptr;        // of a value; null: a type parameter
  TypeNode* default_type = nullptr;
  Expr* default_value = nullptr;
};

struct FunctionDecl {
  std::string_view name;
  Span at;                     // its signature
  bool prelude = false;
  bool is_global = false, is_device = false, is_host = false, is_constexpr = false, is_static = false, is_const = false;
  bool is_template = false;
  std::vector<TemplateParameter> templates;
  TypeNode* result = nullptr;  // null: a constructor, or deduced
  std::vector<VarDecl*> parameters;
  Stmt* body = nullptr;
  StructDecl* owner = nullptr;
  Expr *max_threads = nullptr, *min_blocks = nullptr;
  struct Initializer { std::string_view name; Span at; Expr* list; };
  std::vector<Initializer> initializers;  // of a constructor
  // Lambdas.
  bool capture_values = false, capture_references = false;
  struct Capture { std::string_view name; bool reference; Expr* init; Span at; };
  std::vector<Capture> captures;
  // Functions that are one operation: see builtins.cc.
  int builtin = -1;
};

struct StructDecl {
  std::string_view name;
  Span at;
  bool prelude = false;
  bool is_template = false, defined = false;
  std::vector<TemplateParameter> templates;
  std::vector<VarDecl*> fields, constants;   // constants: static constexpr members
  std::vector<FunctionDecl*> methods;
  std::vector<std::pair<std::string_view, TypeNode*>> aliases;
  Expr* align = nullptr;
};

struct EnumDecl {
  std::string_view name;
  Span at;
  bool scoped = false;
  TypeNode* underlying = nullptr;
  struct Item { std::string_view name; Span at; Expr* value; };
  std::vector<Item> items;
};

enum class StmtForm : uint8_t { empty, expression, declaration, block, if_, for_, while_, do_, switch_, case_, default_, break_, continue_, return_, alias, assertion };

struct Stmt {
  StmtForm form = StmtForm::empty;
  Span at;
  bool is_constexpr = false;   // if constexpr
  bool prelude = false;
  Expr *a = nullptr, *b = nullptr;      // condition or value; step
  Stmt *init = nullptr, *body = nullptr, *otherwise = nullptr;
  std::vector<Stmt*> list;
  std::vector<VarDecl*> variables;
  // #pragma unroll: 0 none, -1 in full, otherwise the count is an expression.
  int unroll = 0;
  Expr* unroll_count = nullptr;
  std::string_view name;       // alias
  TypeNode* type = nullptr;    // alias
};

enum class Known : uint8_t { none, type, struct_template, function, function_template, variable, space };

/// What stands at namespace level.
struct Unit {
  std::deque<Expr> exprs;
  std::deque<Stmt> stmts;
  std::deque<TypeNode> types;
  std::deque<VarDecl> vars;
  std::deque<FunctionDecl> function_store;
  std::deque<StructDecl> struct_store;
  std::deque<EnumDecl> enum_store;
  std::unordered_map<std::string_view, std::vector<FunctionDecl*>> functions;
  std::unordered_map<std::string_view, StructDecl*> structs;
  std::unordered_map<std::string_view, EnumDecl*> enums;
  std::unordered_map<std::string_view, TypeNode*> aliases;
  struct AliasTemplate { std::vector<TemplateParameter> templates; TypeNode* type; };
  std::unordered_map<std::string_view, AliasTemplate> alias_templates;
  std::unordered_map<std::string_view, VarDecl*> variables;
  std::unordered_map<std::string_view, Span> host_functions, host_variables;
  std::unordered_map<std::string_view, Error> unusable;  // structs and constants of host code
  std::unordered_map<std::string_view, Known> names;
  std::vector<FunctionDecl*> kernels;                      // in source order
  std::vector<Stmt*> assertions;
};

/// Adds the declarations in `tokens` to `unit`.
void parse(std::vector<Token> tokens, Unit& unit, Problems& problems);

}  // namespace lk::simt
