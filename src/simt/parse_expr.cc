#include "simt/parser.h"

namespace lk::simt {
namespace {
int level(std::string_view op) {
  static const std::unordered_map<std::string_view, int> levels{{"||", 1}, {"&&", 2}, {"|", 3}, {"^", 4}, {"&", 5}, {"==", 6}, {"!=", 6}, {"<", 7}, {">", 7},
      {"<=", 7}, {">=", 7}, {"<<", 8}, {">>", 8}, {"+", 9}, {"-", 9}, {"*", 10}, {"/", 10}, {"%", 10}};
  const auto found = levels.find(op);
  return found == levels.end() ? 0 : found->second;
}
bool assigns(std::string_view op) {
  return op == "=" || op == "+=" || op == "-=" || op == "*=" || op == "/=" || op == "%=" || op == "&=" || op == "|=" || op == "^=" || op == "<<=" || op == ">>=";
}
}  // namespace

Expr* Parser::expr(ExprForm form, const Span& at) {
  Expr& e = unit_.exprs.emplace_back();
  e.form = form;
  e.at = e.operator_at = at;
  e.prelude = now().prelude;
  return &e;
}

Expr* Parser::finish(Expr* e, const Span& begin) {
  e->at = from(begin);
  for (const Expr* child : {e->a, e->b, e->c})
    if (child) e->depth = std::max(e->depth, child->depth + 1);
  for (const Expr* child : e->list) e->depth = std::max(e->depth, child->depth + 1);
  if (e->depth > 600 && !panic_) fail(begin, "this expression has more than 600 operators in a row", "split it into several statements");
  return e;
}

Expr* Parser::expression() {
  const Span begin = now().at;
  Expr* e = assignment();
  while (!panic_ && is(",")) {
    Expr* comma = expr(ExprForm::comma, now().at);
    next();
    comma->a = e;
    comma->b = assignment();
    e = finish(comma, begin);
  }
  return e;
}

Expr* Parser::assignment() {
  const Deeper deeper(*this);
  if (stopped_) return bad(now().at);
  const Span begin = now().at;
  if (is("throw")) fail(begin, "exceptions are not available on a GPU");
  Expr* e = conditional();
  if (panic_ || now().kind != Tok::punct || !assigns(now().text)) return e;
  Expr* a = expr(ExprForm::assign, now().at);
  a->text = now().text;
  next();
  a->a = e;
  a->b = is("{") ? init_list() : assignment();
  return finish(a, begin);
}

Expr* Parser::conditional() {
  const Span begin = now().at;
  Expr* e = binary(0);
  if (panic_ || !is("?")) return e;
  Expr* c = expr(ExprForm::conditional, now().at);
  next();
  const int angle = angle_;
  angle_ = 0;
  c->a = e;
  c->b = expression();
  angle_ = angle;
  expect(":", "between the two results of ?");
  c->c = assignment();
  return finish(c, begin);
}

Expr* Parser::binary(int least) {
  const Span begin = now().at;
  Expr* e = unary();
  while (!panic_ && now().kind == Tok::punct) {
    const std::string_view op = now().text;
    const int l = level(op);
    if (l <= least || (angle_ > 0 && (op == ">" || op == ">>"))) break;
    if (op == "<" && ahead().text == "<<") {
      fail(now().at, "kernels cannot be launched from a kernel", "launch them from the host");
      break;
    }
    Expr* b = expr(ExprForm::binary, now().at);
    b->text = op;
    next();
    b->a = e;
    const Deeper deeper(*this);
    b->b = binary(l);
    e = finish(b, begin);
  }
  return e;
}

Expr* Parser::unary() {
  const Deeper deeper(*this);
  if (stopped_) return bad(now().at);
  const Span begin = now().at;
  const std::string_view op = now().text;
  if (now().kind == Tok::punct && (op == "+" || op == "-" || op == "!" || op == "~" || op == "*" || op == "&" || op == "++" || op == "--")) {
    Expr* e = expr(ExprForm::unary, begin);
    e->text = op;
    next();
    e->a = unary();
    return finish(e, begin);
  }
  if (is("sizeof") || is("alignof")) {
    Expr* e = expr(ExprForm::size_of, begin);
    e->text = op;
    next();
    if (is("(") && type_begins(1)) {
      next();
      e->form = ExprForm::size_of_type;
      e->type = type_name();
      expect(")", "behind the type of sizeof");
    } else {
      e->a = unary();
    }
    return finish(e, begin);
  }
  if (is("new") || is("delete")) fail(begin, std::string(op) + " is not supported in kernels", "use an array of fixed size or memory that the host allocated");
  if (is("asm") || is("__asm__")) fail(begin, "inline PTX is not supported", "use the intrinsic that stands for it");
  return cast_or_primary();
}

Expr* Parser::cast_or_primary() {
  const Span begin = now().at;
  if (is("(") && type_begins(1)) {
    // (T)x is a cast; (T(x)) and (T{x}) are not.
    const size_t back = at_;
    next();
    const size_t problems = problems_.list().size();
    TypeNode* type = type_name();
    if (!panic_ && is(")")) {
      next();
      Expr* e = expr(ExprForm::cast, begin);
      e->type = type;
      e->text = "(";
      e->a = unary();
      return finish(e, begin);
    }
    problems_.back_to(problems);
    panic_ = false;
    at_ = back;
  }
  return postfix(primary());
}

void Parser::call_arguments(std::vector<Expr*>& list, std::string_view close) {
  const int angle = angle_;
  angle_ = 0;
  while (!panic_ && !is(close)) {
    list.push_back(is("{") ? init_list() : assignment());
    if (!take(",")) break;
  }
  angle_ = angle;
  expect(close, "behind the arguments");
}

Expr* Parser::postfix(Expr* e) {
  const Span begin = e->at;
  while (!panic_) {
    if (is("(")) {
      Expr* c = expr(ExprForm::call, e->at);
      next();
      c->a = e;
      call_arguments(c->list, ")");
      e = finish(c, begin);
    } else if (is("[")) {
      Expr* s = expr(ExprForm::subscript, now().at);
      next();
      const int angle = angle_;
      angle_ = 0;
      s->a = e;
      s->b = expression();
      angle_ = angle;
      expect("]", "behind the index");
      e = finish(s, begin);
    } else if (is(".") || is("->")) {
      Expr* m = expr(ExprForm::member, now().at);
      m->arrow = is("->");
      next();
      take("template");
      m->operator_at = now().at;
      m->text = identifier("a member's name");
      m->a = e;
      if (is("<")) {
        // A member template: only when its arguments close and a call follows.
        const size_t back = at_, problems = problems_.list().size();
        std::vector<TemplateArgument> arguments = template_arguments();
        if (!panic_ && is("(")) {
          m->has_arguments = true;
          m->arguments = std::move(arguments);
        } else {
          at_ = back;
          panic_ = false;
          problems_.back_to(problems);
        }
      }
      e = finish(m, begin);
    } else if (is("++") || is("--")) {
      Expr* p = expr(ExprForm::postfix, now().at);
      p->text = now().text;
      next();
      p->a = e;
      e = finish(p, begin);
    } else if (is("<") && ahead().text == "<<") {
      fail(now().at, "kernels cannot be launched from a kernel", "launch them from the host");
    } else {
      break;
    }
  }
  return e;
}

Expr* Parser::init_list() {
  const Deeper deeper(*this);
  const Span begin = now().at;
  Expr* e = expr(ExprForm::list, begin);
  if (stopped_) return e;
  expect("{", "of an initializer");
  if (is(".")) fail(now().at, "designated initializers are not supported", "give the values in the order of the members");
  call_arguments(e->list, "}");
  return finish(e, begin);
}

Expr* Parser::initializer() { return is("{") ? init_list() : assignment(); }

Expr* Parser::primary() {
  const Token& t = now();
  const Span begin = t.at;
  Expr* e = nullptr;
  switch (t.kind) {
    case Tok::integer: e = expr(ExprForm::integer, begin); break;
    case Tok::floating: e = expr(ExprForm::floating, begin); break;
    case Tok::string: e = expr(ExprForm::text, begin); break;
    case Tok::character: e = expr(ExprForm::character, begin); break;
    default: break;
  }
  if (e) {
    e->text = t.text;
    next();
    while (e->form == ExprForm::text && now().kind == Tok::string) next();
    return e;
  }
  if (t.kind == Tok::punct) {
    if (t.text == "(") {
      next();
      const int angle = angle_;
      angle_ = 0;
      e = expression();
      angle_ = angle;
      expect(")", "to close this parenthesis");
      return e;
    }
    if (t.text == "[") return lambda();
    if (t.text == "::") return name_expression();
  }
  if (t.kind == Tok::name) {
    if (t.text == "true" || t.text == "false") {
      e = expr(ExprForm::boolean, begin);
      e->text = t.text;
      next();
      return e;
    }
    if (t.text == "nullptr") {
      e = expr(ExprForm::null_pointer, begin);
      next();
      return e;
    }
    if (t.text == "static_cast" || t.text == "reinterpret_cast" || t.text == "const_cast") {
      e = expr(ExprForm::cast, begin);
      e->text = t.text;
      next();
      if (!expect("<", "behind the cast")) return e;
      const int angle = angle_;
      angle_ = 1;
      e->type = type_name();
      angle_ = angle;
      expect(">", "behind the type of the cast");
      expect("(", "behind the cast");
      const int outer = angle_;
      angle_ = 0;
      if (!panic_) e->a = expression();
      angle_ = outer;
      expect(")", "behind the value of the cast");
      if (!e->a) e->form = ExprForm::bad;
      return finish(e, begin);
    }
    if (t.text == "dynamic_cast" || t.text == "typeid") {
      fail(begin, std::string(t.text) + " is not available on a GPU");
      return bad(begin);
    }
    if (type_begins()) {
      e = expr(ExprForm::construct, begin);
      Specifiers s = specifiers(true);
      e->type = s.type;
      if (is("::")) {
        next();
        e->form = ExprForm::name;
        e->text = identifier("a name behind ::");
        e->operator_at = begin;
        return finish(e, begin);
      }
      if (is("{")) {
        e->braced = true;
        next();
        call_arguments(e->list, "}");
      } else if (is("(")) {
        next();
        call_arguments(e->list, ")");
      } else {
        fail(now().at, "a value is expected, but this is a type", "write T(x) or T{x} for a value of the type");
      }
      return finish(e, begin);
    }
    return name_expression();
  }
  fail(begin, done() ? "the source ends in an expression" : "a value is expected before '" + std::string(t.text) + "'");
  return bad(begin);
}

Expr* Parser::name_expression() {
  const Span begin = now().at;
  Expr* e = expr(ExprForm::name, begin);
  take("::");
  while (now().kind == Tok::name && ahead().text == "::") {
    e->qualifier = now().text;
    next();
    next();
  }
  take("template");
  e->text = identifier("a name");
  const Known k = known(e->text);
  if (is("<") && !panic_ && (k == Known::function_template || k == Known::function) && ahead().text != "<<") {
    e->has_arguments = true;
    e->arguments = template_arguments();
  }
  return finish(e, begin);
}

std::vector<TemplateArgument> Parser::template_arguments() {
  std::vector<TemplateArgument> out;
  expect("<", "before template arguments");
  const int angle = angle_;
  angle_ = 1;
  while (!panic_ && !is(">") && !is(">>")) {
    TemplateArgument a;
    if (type_argument_begins()) a.type = type_name();
    else a.value = conditional();
    out.push_back(a);
    if (!take(",")) break;
  }
  angle_ = angle;
  if (is(">>")) {
    // Two closings in one token: leave the second.
    t_[at_].text = t_[at_].text.substr(1);
    return out;
  }
  expect(">", "behind template arguments");
  return out;
}

Expr* Parser::lambda() {
  const Deeper deeper(*this);
  const Span begin = now().at;
  Expr* e = expr(ExprForm::lambda, begin);
  FunctionDecl& f = unit_.function_store.emplace_back();
  e->lambda = &f;
  f.name = "lambda";
  f.prelude = now().prelude;
  f.is_device = true;
  next();
  while (!panic_ && !is("]")) {
    if (is("&") && (ahead().text == "]" || ahead().text == ",")) {
      f.capture_references = true;
      next();
    } else if (take("=")) {
      f.capture_values = true;
    } else if (take("this")) {
      f.capture_references = true;
    } else {
      FunctionDecl::Capture c{};
      c.reference = take("&");
      c.at = now().at;
      c.name = identifier("a captured name");
      if (take("=")) c.init = assignment();
      f.captures.push_back(c);
    }
    if (!take(",")) break;
  }
  expect("]", "behind the captures");
  scopes_.emplace_back();
  if (take("(")) parameters(f);
  while (is("mutable") || is("__device__") || is("constexpr") || is("noexcept")) next();
  if (take("->")) f.result = type_name();
  f.at = from(begin);
  if (!panic_ && is("{")) f.body = block();
  else if (!panic_) fail(now().at, "a lambda needs a body", "add { ... }");
  scopes_.pop_back();
  return finish(e, begin);
}

}  // namespace lk::simt
