// The parser: tokens to a syntax tree, by recursive descent. It keeps just enough of scopes to tell types from values.
#pragma once
#include <string>
#include <unordered_map>
#include <vector>

#include "simt/ast.h"

namespace lk::simt {

class Parser {
 public:
  Parser(std::vector<Token> tokens, Unit& unit, Problems& problems) : t_(std::move(tokens)), unit_(unit), problems_(problems) { scopes_.emplace_back(); }
  void run();

 private:
  static constexpr int max_depth = 256;
  struct Specifiers {
    TypeNode* type = nullptr;
    bool is_global = false, is_device = false, is_host = false, is_shared = false, is_constant = false, is_constexpr = false, is_extern = false, is_static = false,
         is_inline = false, is_const = false, is_typedef = false;
    Expr *max_threads = nullptr, *min_blocks = nullptr, *align = nullptr;
  };
  struct Deeper {
    explicit Deeper(Parser& p) : p_(p) { if (++p_.depth_ > max_depth) p_.too_deep(); }
    ~Deeper() { --p_.depth_; }
    Parser& p_;
  };

  // Tokens.
  const Token& now() const { return t_[at_]; }
  const Token& ahead(size_t k = 1) const { return t_[std::min(at_ + k, t_.size() - 1)]; }
  bool is(std::string_view s) const { return now().text == s && (now().kind == Tok::punct || now().kind == Tok::name); }
  bool done() const { return now().kind == Tok::end; }
  void next() { if (!done()) ++at_; }
  bool take(std::string_view s) { return is(s) ? (next(), true) : false; }
  bool expect(std::string_view s, const char* where);
  void fail(const Span& at, std::string what, std::string hint = "");
  void too_deep();
  void recover();
  void skip_balanced();
  Span from(const Span& begin) const;
  std::string_view identifier(const char* what);

  // Names.
  Known known(std::string_view name) const;
  void declare(std::string_view name, Known what);
  bool type_begins(size_t k = 0) const;
  bool type_argument_begins() const;
  size_t after_qualifiers(size_t k) const;

  // Nodes.
  Expr* expr(ExprForm form, const Span& at);
  Expr* bad(const Span& at) { return expr(ExprForm::bad, at); }
  Expr* finish(Expr* e, const Span& begin);
  Stmt* stmt(StmtForm form, const Span& at);
  TypeNode* type_node(TypeForm form, const Span& at);

  // parse_expr.cc
  Expr* expression();
  Expr* assignment();
  Expr* conditional();
  Expr* binary(int least);
  Expr* unary();
  Expr* cast_or_primary();
  Expr* postfix(Expr* e);
  Expr* primary();
  Expr* name_expression();
  Expr* lambda();
  Expr* init_list();
  Expr* initializer();
  void call_arguments(std::vector<Expr*>& list, std::string_view close);
  std::vector<TemplateArgument> template_arguments();

  // parse_stmt.cc
  Stmt* statement();
  Stmt* block();
  Stmt* declaration_statement();
  Stmt* for_statement(const Token& begin);
  Stmt* controlled();
  bool declaration_begins() const;

  // parse_decl.cc
  void top_level();
  void skip_host();
  void function_or_variable(std::vector<TemplateParameter> templates, bool is_template, bool tentative);
  std::vector<TemplateParameter> template_header();
  Specifiers specifiers(bool only_type);
  TypeNode* base_type(Specifiers& s);
  TypeNode* pointers(TypeNode* base);
  TypeNode* declarator(TypeNode* base, std::string_view& name, Span& name_at, bool abstract);
  TypeNode* arrays(TypeNode* base);
  TypeNode* type_name();
  void parameters(FunctionDecl& f);
  void function_body(FunctionDecl& f);
  StructDecl* structure(const Span& at, std::vector<TemplateParameter> templates, bool is_template);
  void member(StructDecl& s);
  EnumDecl* enumeration(const Span& at);
  void using_declaration(std::vector<TemplateParameter> templates, bool is_template);
  Stmt* static_assertion();
  void try_declaration(bool as_struct, std::vector<TemplateParameter> templates, bool is_template);
  void add_function(FunctionDecl* f);

  std::vector<Token> t_;
  Unit& unit_;
  Problems& problems_;
  size_t at_ = 0;
  int depth_ = 0;
  bool panic_ = false, stopped_ = false;
  int angle_ = 0;              // in template arguments, outside parentheses: > closes
  std::vector<std::unordered_map<std::string_view, Known>> scopes_;
  StructDecl* owner_ = nullptr;
};

}  // namespace lk::simt
