#include "simt/parser.h"

namespace lk::simt {

void Parser::add_function(FunctionDecl* f) {
  auto& all = unit_.functions[f->name];
  for (FunctionDecl*& g : all)
    if (!g->body && g->builtin < 0 && f->body && g->parameters.size() == f->parameters.size() && g->is_template == f->is_template) {
      g = f;  // the definition of what was declared before
      return;
    }
  all.push_back(f);
}

// Behind a function or variable of the host. Its name is kept, so that a kernel that uses it gets a clear answer.
void Parser::skip_host() {
  const Span begin = now().at;
  std::string_view name, last;
  bool called = false, assigned = false;
  while (!done()) {
    if (now().kind == Tok::punct) {
      if (is(";") ) {
        next();
        break;
      }
      if (is("}")) break;
      if (is("(") || is("[")) {
        if (is("(") && !called && !assigned) name = last, called = true;
        skip_balanced();
        continue;
      }
      if (is("=")) assigned = true;
      if ((is("=") || is(",")) && !called && name.empty()) name = last;
      if (is("{")) {
        skip_balanced();
        if (called && !assigned) break;
        continue;
      }
    }
    if (now().kind == Tok::name) last = now().text;
    next();
  }
  if (name.empty()) name = last;
  if (name.empty()) return;
  (called ? unit_.host_functions : unit_.host_variables).emplace(name, begin);
}

void Parser::try_declaration(bool as_struct, std::vector<TemplateParameter> templates, bool is_template) {
  const size_t back = at_, problems = problems_.list().size();
  std::string_view name;
  for (size_t k = at_; k < t_.size() && t_[k].text != "{" && t_[k].text != ";" && t_[k].text != "="; ++k)
    if (t_[k].kind == Tok::name && t_[k].text != "final") name = t_[k].text;
  if (as_struct) {
    const Span at = now().at;
    StructDecl* s = structure(at, std::move(templates), is_template);
    if (!panic_ && !is(";")) {
      // struct S { ... } x; at namespace level belongs to the host
      (void)s;
      skip_host();
      return;
    }
    expect(";", "behind a struct");
  } else {
    function_or_variable({}, false, true);
  }
  if (!panic_ || stopped_) return;
  // Not ours to understand unless a kernel uses it: then its first problem is shown.
  Error first;
  if (problems_.list().size() > problems) first = problems_.list()[problems].error;
  problems_.back_to(problems);
  panic_ = false;
  at_ = back;
  if (as_struct) {
    unit_.structs.erase(name);
    scopes_[0].insert_or_assign(name, is_template ? Known::struct_template : Known::type);
  }
  if (!name.empty()) unit_.unusable.insert_or_assign(name, first);
  while (!done() && !is(";") && !is("{")) next();
  if (is("{")) skip_balanced();
  while (!done() && !is(";") && !is("}")) next();
  take(";");
}

Stmt* Parser::static_assertion() {
  Stmt* s = stmt(StmtForm::assertion, now().at);
  next();
  expect("(", "behind static_assert");
  std::vector<Expr*> list;
  if (!panic_) call_arguments(list, ")");
  expect(";", "behind static_assert");
  if (!list.empty()) s->a = list[0];
  if (list.size() > 1) s->b = list[1];
  s->at = from(s->at);
  return s;
}

void Parser::using_declaration(std::vector<TemplateParameter> templates, bool is_template) {
  const Span begin = now().at;
  const bool is_typedef = is("typedef");
  next();
  std::string_view name;
  TypeNode* type = nullptr;
  if (is_typedef) {
    Specifiers s = specifiers(false);
    Span at;
    if (!panic_) type = declarator(s.type, name, at, false);
  } else {
    if (is("namespace") || ahead().text == "::" || is("::")) {
      while (!done() && !is(";")) next();
      take(";");
      return;
    }
    name = identifier("a name");
    if (expect("=", "behind the name")) type = type_name();
  }
  expect(";", is_typedef ? "behind typedef" : "behind using");
  if (panic_ || name.empty()) return;
  if (is_template) {
    scopes_[scopes_.size() - 2].insert_or_assign(name, Known::struct_template);
    unit_.alias_templates[name] = {std::move(templates), type};
    return;
  }
  declare(name, Known::type);
  if (scopes_.size() == 1) {
    unit_.aliases.insert_or_assign(name, type);
    return;
  }
  Stmt* s = stmt(StmtForm::alias, begin);
  s->name = name;
  s->type = type;
}

void Parser::top_level() {
  if (take(";")) return;
  if (is("}")) {
    next();  // the end of a namespace
    return;
  }
  const Token begin = now();
  if (begin.kind == Tok::pragma) {
    problems_.warning(begin.at, "#pragma unroll stands before no loop", "put it directly before for, while or do");
    next();
    if (is("(")) skip_balanced();
    return;
  }
  if (is("static_assert")) {
    unit_.assertions.push_back(static_assertion());
    return;
  }
  if (is("namespace") || (is("inline") && ahead().text == "namespace")) {
    take("inline");
    next();
    while (now().kind == Tok::name || is("::")) next();
    if (take("=")) {
      while (!done() && !is(";")) next();
      take(";");
      return;
    }
    expect("{", "behind namespace");
    return;
  }
  if (is("extern") && ahead().kind == Tok::string && ahead(2).text == "{") {
    next();
    next();
    next();
    return;
  }
  if (is("using")) {
    const size_t problems = problems_.list().size();
    using_declaration({}, false);
    if (panic_) problems_.back_to(problems);  // a type of the host
    return;
  }
  std::vector<TemplateParameter> templates;
  bool is_template = false;
  // What comes: does it mention the device before its body begins?
  bool device = false, is_const = false, called = false;
  size_t k = at_;
  if (is("template")) {
    int level = 0;
    for (++k; k < t_.size() && t_[k].kind != Tok::end; ++k) {
      if (t_[k].text == "<") ++level;
      if (t_[k].text == ">" && --level == 0) break;
      if (t_[k].text == ">>" && (level -= 2) <= 0) break;
    }
    ++k;
    is_template = true;
  }
  const size_t head = std::min(k, t_.size() - 1);
  int level = 0;
  for (; k < t_.size() && t_[k].kind != Tok::end; ++k) {
    const std::string_view w = t_[k].text;
    if (t_[k].kind == Tok::punct) {
      if (w == "(" || w == "[") ++level, called |= level == 1 && w == "(";
      if (w == ")" || w == "]") --level;
      if (level == 0 && (w == "{" || w == ";" || w == "=" || w == "}")) break;
    }
    if (w == "__global__" || w == "__device__" || w == "__constant__" || w == "__shared__") device = true;
    if (w == "const" || w == "constexpr") is_const |= level == 0;
    if (w == "constexpr" && level == 0) device |= called || is_template || k == head;
  }
  const std::string_view w = t_[head].text;
  const bool is_struct = w == "struct" || w == "class";
  if (is_template) {
    if (!device && !is_struct && w != "using") {
      at_ = head;
      skip_host();
      return;
    }
    scopes_.emplace_back();
    templates = template_header();
    if (!panic_) {
      if (is_struct) try_declaration(true, std::move(templates), true);
      else if (is("using")) using_declaration(std::move(templates), true);
      else function_or_variable(std::move(templates), true, false);
    }
    // A function's or struct's own name belongs outside the scope of the parameters.
    auto inner = std::move(scopes_.back());
    scopes_.pop_back();
    for (const auto& n : inner)
      if (n.second == Known::function_template) declare(n.first, n.second);
    return;
  }
  if (is_struct) {
    try_declaration(true, {}, false);
    return;
  }
  if (w == "enum") {
    enumeration(begin.at);
    expect(";", "behind an enum");
    return;
  }
  if (w == "typedef") {
    const size_t problems = problems_.list().size();
    using_declaration({}, false);
    if (panic_) problems_.back_to(problems);
    return;
  }
  if (device) function_or_variable({}, false, w == "constexpr" && !called);
  else if (is_const && !called) try_declaration(false, {}, false);
  else skip_host();
}

void Parser::function_or_variable(std::vector<TemplateParameter> templates, bool is_template, bool tentative) {
  const Span begin = now().at;
  Specifiers s = specifiers(false);
  if (panic_) return;
  std::string_view name;
  Span name_at = now().at;
  TypeNode* type = pointers(s.type);
  // Qualifiers may stand between the type and the name (__launch_bounds__).
  while (!panic_ && (is("__launch_bounds__") || is("__global__") || is("__device__") || is("__forceinline__") || is("__noinline__"))) {
    if (is("__launch_bounds__")) {
      next();
      std::vector<Expr*> list;
      if (expect("(", "behind __launch_bounds__")) call_arguments(list, ")");
      if (!list.empty()) s.max_threads = list[0];
      if (list.size() > 1) s.min_blocks = list[1];
    } else {
      s.is_global |= is("__global__");
      s.is_device |= is("__device__");
      next();
    }
  }
  if (is("operator")) {
    next();
    static const char* const all[] = {"+", "-", "*", "/", "%", "==", "!=", "<", ">", "<=", ">=", "+=", "-=", "*=", "/=", "&", "|", "^", "!", "~", "<<", ">>"};
    name_at = now().at;
    for (const char* o : all)
      if (is(o)) name = o;
    if (name.empty()) fail(now().at, "operator " + std::string(now().text) + " is not supported");
    next();
  } else {
    type = declarator(type, name, name_at, false);
  }
  if (panic_) return;
  if (is("::") || is("<")) {
    if (is("<")) fail(now().at, "specializations of templates are not supported", "use if constexpr or an overload");
    else fail(now().at, "methods outside their struct are not supported", "define the method inside the struct");
    return;
  }
  if (!is("(")) {
    for (;;) {
      VarDecl& v = unit_.vars.emplace_back();
      v.name = name;
      v.at = name_at;
      v.type = type;
      v.is_constant = s.is_constant;
      v.is_constexpr = s.is_constexpr;
      v.is_shared = s.is_shared;
      v.is_extern = s.is_extern;
      v.is_static = true;
      if (take("=")) v.init = initializer();
      else if (is("{")) v.init = init_list();
      if (panic_) return;
      if (is_template) fail(name_at, "variable templates are not supported", "use a constexpr function");
      if (s.is_device && !s.is_constexpr && !s.is_constant && !s.is_const)
        fail(name_at, "__device__ variables are not supported", "pass a pointer to memory that the host allocated");
      if (panic_) return;
      declare(name, Known::variable);
      unit_.variables.insert_or_assign(name, &v);
      if (!take(",")) break;
      name = {};
      type = declarator(s.type, name, name_at, false);
    }
    expect(";", "behind a declaration");
    return;
  }
  FunctionDecl* f = &unit_.function_store.emplace_back();
  f->name = name;
  f->prelude = begin.line && now().prelude;
  f->result = type;
  f->is_global = s.is_global;
  f->is_device = s.is_device;
  f->is_host = s.is_host;
  f->is_constexpr = s.is_constexpr;
  f->is_template = is_template;
  f->templates = std::move(templates);
  f->max_threads = s.max_threads;
  f->min_blocks = s.min_blocks;
  declare(name, is_template ? Known::function_template : Known::function);
  scopes_.emplace_back();
  next();
  parameters(*f);
  while (is("noexcept") || is("const")) next();
  if (take("->")) f->result = type_name();
  f->at = from(begin);
  if (!panic_ && !take(";")) {
    if (is("{")) function_body(*f);
    else expect("{", "of the function's body");
  }
  scopes_.pop_back();
  (void)tentative;
  if (f->is_global && f->result && !(f->result->form == TypeForm::builtin && f->result->name == "void")) {
    problems_.error(f->at, "a kernel returns void", "write results through a pointer");
  }
  add_function(f);
  if (f->is_global && f->body) unit_.kernels.push_back(f);
}

}  // namespace lk::simt
