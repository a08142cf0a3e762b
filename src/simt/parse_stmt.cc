#include "simt/parser.h"

namespace lk::simt {

Stmt* Parser::stmt(StmtForm form, const Span& at) {
  Stmt& s = unit_.stmts.emplace_back();
  s.form = form;
  s.at = at;
  s.prelude = now().prelude;
  return &s;
}

bool Parser::declaration_begins() const {
  const std::string_view s = now().text;
  if (now().kind != Tok::name) return false;
  if (s == "const" || s == "constexpr" || s == "volatile" || s == "static" || s == "extern" || s == "__shared__" || s == "__constant__" || s == "__device__" ||
      s == "auto" || s == "struct" || s == "enum" || s == "class" || s == "union" || s == "register" || s == "alignas" || s == "__align__" || s == "typename")
    return true;
  if (!type_begins()) return false;
  // T(x) and T{x} are values; T (*p)[4] and T (&r)[4] are declarations.
  size_t k = at_;
  if (t_[k].text == "unsigned" || t_[k].text == "signed" || t_[k].text == "long" || t_[k].text == "short") return ahead().text != "(" && ahead().text != "{";
  k = after_qualifiers(k) + 1;
  if (k < t_.size() && t_[k].text == "<") return true;
  if (k >= t_.size()) return true;
  if (t_[k].text == "(") return k + 1 < t_.size() && (t_[k + 1].text == "*" || t_[k + 1].text == "&");
  return t_[k].text != "{" && t_[k].text != "::";
}

Stmt* Parser::block() {
  const Deeper deeper(*this);
  const Span begin = now().at;
  Stmt* b = stmt(StmtForm::block, begin);
  if (stopped_ || !expect("{", "of a block")) return b;
  scopes_.emplace_back();
  while (!done() && !is("}") && !stopped_) {
    const size_t before = at_;
    b->list.push_back(statement());
    if (panic_) recover();
    if (at_ == before && !is("}")) next();
  }
  scopes_.pop_back();
  if (!stopped_) expect("}", "at the end of this block");
  b->at = from(begin);
  return b;
}

// A statement that is the body of another one has a scope of its own.
Stmt* Parser::controlled() {
  scopes_.emplace_back();
  Stmt* s = statement();
  scopes_.pop_back();
  return s;
}

Stmt* Parser::declaration_statement() {
  const Span begin = now().at;
  if (is("using") || is("typedef")) {
    using_declaration({}, false);
    // The alias was put into a statement by using_declaration.
    Stmt* s = &unit_.stmts.back();
    return s->form == StmtForm::alias ? s : stmt(StmtForm::empty, begin);
  }
  Stmt* d = stmt(StmtForm::declaration, begin);
  Specifiers s = specifiers(false);
  if (panic_) return d;
  if (take(";")) return d;  // a struct or enum alone
  while (!panic_) {
    VarDecl& v = unit_.vars.emplace_back();
    v.type = declarator(s.type, v.name, v.at, false);
    v.is_shared = s.is_shared;
    v.is_extern = s.is_extern;
    v.is_constant = s.is_constant;
    v.is_constexpr = s.is_constexpr;
    v.is_static = s.is_static;
    if (panic_) break;
    declare(v.name, Known::variable);
    d->variables.push_back(&v);
    if (take("=")) {
      v.init = initializer();
    } else if (is("{")) {
      v.init = init_list();
    } else if (is("(")) {
      v.parenthesized = true;
      v.init = expr(ExprForm::list, now().at);
      next();
      call_arguments(v.init->list, ")");
      finish(v.init, v.at);
    }
    if (!take(",")) break;
  }
  expect(";", "behind a declaration");
  d->at = from(begin);
  return d;
}

Stmt* Parser::for_statement(const Token& begin) {
  Stmt* s = stmt(StmtForm::for_, begin.at);
  scopes_.emplace_back();
  expect("(", "behind for");
  if (!panic_ && !take(";")) {
    if (declaration_begins()) {
      const size_t at = at_;
      s->init = declaration_statement();
      if (panic_) {
        for (size_t k = at; k < t_.size() && k <= at_; ++k)
          if (t_[k].text == ":") problems_.warning(t_[k].at, "range-based for is not supported", "count with an index");
      }
    } else {
      s->init = stmt(StmtForm::expression, now().at);
      s->init->a = expression();
      expect(";", "behind the first part of for");
    }
  }
  if (!panic_ && !is(";")) s->a = expression();
  expect(";", "behind the condition of for");
  if (!panic_ && !is(")")) s->b = expression();
  expect(")", "behind the parts of for");
  s->at = from(begin.at);
  if (!panic_) s->body = controlled();
  scopes_.pop_back();
  return s;
}

Stmt* Parser::statement() {
  const Deeper deeper(*this);
  const Token begin = now();
  if (stopped_) return stmt(StmtForm::empty, begin.at);
  if (begin.kind == Tok::pragma) {
    const bool none = begin.text == "nounroll";
    next();
    Expr* count = nullptr;
    if (is("(")) {
      next();
      count = expression();
      expect(")", "behind the count of #pragma unroll");
    }
    Stmt* s = statement();
    if (s->form != StmtForm::for_ && s->form != StmtForm::while_ && s->form != StmtForm::do_) {
      if (!panic_) problems_.warning(begin.at, "#pragma unroll stands before no loop", "put it directly before for, while or do");
      return s;
    }
    s->unroll = none ? 1 : count ? 2 : -1;
    s->unroll_count = count;
    return s;
  }
  if (is("{")) return block();
  if (take(";")) return stmt(StmtForm::empty, begin.at);
  if (begin.kind == Tok::name) {
    const std::string_view w = begin.text;
    if (w == "if") {
      Stmt* s = stmt(StmtForm::if_, begin.at);
      next();
      s->is_constexpr = take("constexpr");
      scopes_.emplace_back();
      expect("(", "behind if");
      if (!panic_ && declaration_begins() && !is("const_cast")) {
        // if (T x = ...; condition)
        s->init = declaration_statement();
      }
      if (!panic_) s->a = expression();
      if (!panic_ && is(";")) {
        s->init = stmt(StmtForm::expression, begin.at);
        s->init->a = s->a;
        next();
        s->a = expression();
      }
      expect(")", "behind the condition");
      s->at = from(begin.at);
      if (!panic_) s->body = controlled();
      if (!panic_ && take("else")) s->otherwise = controlled();
      scopes_.pop_back();
      return s;
    }
    if (w == "for") {
      next();
      return for_statement(begin);
    }
    if (w == "while") {
      Stmt* s = stmt(StmtForm::while_, begin.at);
      next();
      expect("(", "behind while");
      if (!panic_) s->a = expression();
      expect(")", "behind the condition");
      s->at = from(begin.at);
      if (!panic_) s->body = controlled();
      return s;
    }
    if (w == "do") {
      Stmt* s = stmt(StmtForm::do_, begin.at);
      next();
      s->body = controlled();
      if (!panic_) expect("while", "at the end of do");
      expect("(", "behind while");
      if (!panic_) s->a = expression();
      expect(")", "behind the condition");
      expect(";", "behind do ... while (...)");
      if (s->a) s->at = s->a->at;
      return s;
    }
    if (w == "switch") {
      Stmt* s = stmt(StmtForm::switch_, begin.at);
      next();
      expect("(", "behind switch");
      if (!panic_) s->a = expression();
      expect(")", "behind the value");
      s->at = from(begin.at);
      if (!panic_) s->body = controlled();
      return s;
    }
    if (w == "case" || w == "default") {
      Stmt* s = stmt(w == "case" ? StmtForm::case_ : StmtForm::default_, begin.at);
      next();
      if (w == "case") s->a = conditional();
      s->at = from(begin.at);
      expect(":", "behind case");
      return s;
    }
    if (w == "break" || w == "continue") {
      Stmt* s = stmt(w == "break" ? StmtForm::break_ : StmtForm::continue_, begin.at);
      next();
      expect(";", w == "break" ? "behind break" : "behind continue");
      return s;
    }
    if (w == "return") {
      Stmt* s = stmt(StmtForm::return_, begin.at);
      next();
      if (!is(";")) s->a = initializer();
      expect(";", "behind return");
      s->at = from(begin.at);
      return s;
    }
    if (w == "goto") fail(begin.at, "goto is not supported", "use a loop, break or continue");
    if (w == "try") fail(begin.at, "exceptions are not available on a GPU");
    if (w == "asm" || w == "__asm__") {
      problems_.error(begin.at, "inline PTX is not supported", "use the intrinsic that stands for it");
      while (!done() && !is(";") && !is("}")) {
        if (is("(") || is("{")) skip_balanced();
        else next();
      }
      take(";");
      return stmt(StmtForm::empty, begin.at);
    }
    if (w == "static_assert") return static_assertion();
    if (w == "using" && ahead().text == "namespace") {
      while (!done() && !is(";")) next();
      take(";");
      return stmt(StmtForm::empty, begin.at);
    }
    if (w == "namespace") {
      while (!done() && !is(";")) next();
      take(";");
      return stmt(StmtForm::empty, begin.at);
    }
    if (w == "using" || w == "typedef" || declaration_begins()) return declaration_statement();
    if (ahead().kind == Tok::punct && ahead().text == ":" && known(w) == Known::none) {
      fail(begin.at, "labels are not supported", "use a loop, break or continue");
      return stmt(StmtForm::empty, begin.at);
    }
    // `Foo x;` with an unknown Foo: say that the type is unknown.
    if (ahead().kind == Tok::name && known(w) == Known::none && ahead().text != "::") {
      std::vector<std::string_view> names;
      for (const auto& n : unit_.names)
        if (n.second == Known::type || n.second == Known::struct_template) names.push_back(n.first);
      for (const char* t : {"int", "float", "double", "unsigned", "bool", "char", "short", "long", "half", "size_t", "float4", "const", "return", "while", "else", "for"})
        names.push_back(t);
      const std::string near = closest(w, names);
      fail(begin.at, "'" + std::string(w) + "' is not a type that is known here", near.empty() ? "declare it before" : "did you mean " + near + "?");
    }
  }
  Stmt* s = stmt(StmtForm::expression, begin.at);
  s->a = expression();
  if (!panic_) expect(";", "behind this statement");
  s->at = from(begin.at);
  return s;
}

}  // namespace lk::simt
