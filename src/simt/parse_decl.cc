#include <optional>

#include "simt/parser.h"

namespace lk::simt {

TypeNode* Parser::type_node(TypeForm form, const Span& at) {
  TypeNode& t = unit_.types.emplace_back();
  t.form = form;
  t.at = at;
  return &t;
}

// Words before a declarator: qualifiers, storage and the type itself.
Parser::Specifiers Parser::specifiers(bool only_type) {
  Specifiers s;
  bool is_const = false, is_volatile = false;
  int longs = 0, shorts = 0, signs = 0;
  bool is_unsigned = false;
  std::string_view base;
  const Span begin = now().at;
  while (!panic_ && !done()) {
    const std::string_view w = now().text;
    if (now().kind != Tok::name && w != "::" && w != "[") break;
    if (w == "const") is_const = s.is_const = true;
    else if (w == "volatile") is_volatile = true;
    else if (w == "typename" || w == "struct" || w == "class" || w == "enum" || w == "union") {
      if (s.type) break;
      if (w == "typename") {
        next();
        continue;
      }
      if (w == "union") {
        fail(now().at, "unions are not supported", "use reinterpret_cast or the __float_as_int family");
        break;
      }
      // `struct Name` that names one, or a definition.
      if (only_type) {
        next();
        continue;
      }
      if (w == "enum") {
        EnumDecl* e = enumeration(now().at);
        s.type = type_node(TypeForm::enumeration, begin);
        s.type->enumeration = e;
      } else {
        StructDecl* d = structure(now().at, {}, false);
        s.type = type_node(TypeForm::structure, begin);
        s.type->structure = d;
      }
      continue;
    } else if (w == "unsigned") ++signs, is_unsigned = true;
    else if (w == "signed") ++signs;
    else if (w == "long" && base.empty()) ++longs;
    else if (w == "long" && base == "int") ++longs;
    else if (w == "short" && (base.empty() || base == "int")) ++shorts;
    else if ((w == "int" || w == "char" || w == "double" || w == "float" || w == "void" || w == "bool") && base.empty() && !s.type) base = w;
    else if (!only_type && w == "__global__") s.is_global = true;
    else if (!only_type && w == "__device__") s.is_device = true;
    else if (!only_type && w == "__host__") s.is_host = true;
    else if (!only_type && w == "__shared__") s.is_shared = true;
    else if (!only_type && w == "__constant__") s.is_constant = true;
    else if (!only_type && w == "constexpr") s.is_constexpr = true;
    else if (!only_type && w == "extern") {
      s.is_extern = true;
      if (ahead().kind == Tok::string) next();
    } else if (!only_type && w == "static") s.is_static = true;
    else if (!only_type && w == "typedef") s.is_typedef = true;
    else if (!only_type && (w == "inline" || w == "__inline__" || w == "__forceinline__" || w == "__noinline__" || w == "register" || w == "explicit" || w == "__grid_constant__"))
      s.is_inline = true;
    else if (!only_type && (w == "virtual" || w == "thread_local" || w == "friend" || w == "__managed__")) {
      fail(now().at, "'" + std::string(w) + "' is not supported in kernels");
    } else if (!only_type && w == "__launch_bounds__") {
      next();
      std::vector<Expr*> list;
      if (expect("(", "behind __launch_bounds__")) call_arguments(list, ")");
      if (!list.empty()) s.max_threads = list[0];
      if (list.size() > 1) s.min_blocks = list[1];
      continue;
    } else if (!only_type && (w == "alignas" || w == "__align__")) {
      next();
      std::vector<Expr*> list;
      if (expect("(", "behind the alignment")) call_arguments(list, ")");
      if (!list.empty()) s.align = list[0];
      continue;
    } else if (w == "[") {
      if (ahead().text != "[") break;
      skip_balanced();  // an attribute
      continue;
    } else if (w == "__attribute__") {
      next();
      if (is("(")) skip_balanced();
      continue;
    } else if (s.type || !base.empty() || longs || shorts || signs) {
      break;
    } else if (w == "decltype") {
      next();
      s.type = type_node(TypeForm::of_expression, begin);
      if (expect("(", "behind decltype")) s.type->extent = expression();
      expect(")", "behind decltype");
      continue;
    } else if (w == "auto") {
      s.type = type_node(TypeForm::automatic, begin);
    } else if (type_begins()) {
      take("::");
      s.type = type_node(TypeForm::named, begin);
      while (now().kind == Tok::name && ahead().text == "::" && ahead(2).kind == Tok::name) {
        // Type::constant: stop before the ::
        if (known(now().text) == Known::type && known(ahead(2).text) != Known::type && only_type) break;
        s.type->qualifier = now().text;
        next();
        next();
      }
      s.type->name = now().text;
      next();
      if (is("<") && (known(s.type->name) == Known::struct_template || s.type->name == "numeric_limits")) {
        s.type->has_arguments = true;
        s.type->arguments = template_arguments();
      }
      continue;
    } else {
      break;
    }
    next();
  }
  if (panic_) {
    if (!s.type) s.type = type_node(TypeForm::builtin, begin), s.type->name = "int";
    return s;
  }
  if (!base.empty() || longs || shorts || signs) {
    s.type = type_node(TypeForm::builtin, begin);
    if (base == "float" || base == "void" || base == "bool" || (base == "double" && longs == 0)) s.type->name = base;
    else if (base == "double") s.type->name = "double", problems_.warning(begin, "long double is double on a GPU");
    else if (base == "char") s.type->name = is_unsigned ? "unsigned char" : signs ? "signed char" : "char";
    else if (shorts) s.type->name = is_unsigned ? "unsigned short" : "short";
    else if (longs == 1) s.type->name = is_unsigned ? "unsigned long" : "long";
    else if (longs >= 2) s.type->name = is_unsigned ? "unsigned long long" : "long long";
    else s.type->name = is_unsigned ? "unsigned int" : "int";
  }
  if (!s.type) {
    const std::string_view w = now().text;
    std::vector<std::string_view> names;
    for (const auto& n : unit_.names)
      if (n.second == Known::type || n.second == Known::struct_template) names.push_back(n.first);
    for (const char* t : {"int", "float", "double", "unsigned", "bool", "char", "short", "long", "half", "void"}) names.push_back(t);
    const std::string near = now().kind == Tok::name ? closest(w, names) : std::string();
    fail(now().at, done() ? "a type is expected, but the source ends" : "a type is expected, not '" + std::string(w) + "'", near.empty() ? "" : "did you mean " + near + "?");
    s.type = type_node(TypeForm::builtin, begin);
    s.type->name = "int";
    return s;
  }
  s.type->at = from(begin);
  s.type->is_const |= is_const;
  s.type->is_volatile |= is_volatile;
  return s;
}

TypeNode* Parser::pointers(TypeNode* base) {
  while (!panic_ && (is("*") || is("&") || is("&&"))) {
    TypeNode* p = type_node(is("*") ? TypeForm::pointer : TypeForm::reference, now().at);
    next();
    p->of = base;
    for (;;) {
      if (take("const")) p->is_const = true;
      else if (take("volatile")) p->is_volatile = true;
      else if (take("__restrict__") || take("__restrict") || take("restrict")) p->is_restrict = true;
      else break;
    }
    p->at = from(base->at);
    base = p;
  }
  return base;
}

TypeNode* Parser::arrays(TypeNode* base) {
  if (!is("[") || panic_) return base;
  const Deeper deeper(*this);
  TypeNode* a = type_node(TypeForm::array, now().at);
  next();
  const int angle = angle_;
  angle_ = 0;
  if (!is("]")) a->extent = conditional();
  angle_ = angle;
  expect("]", "behind the extent of an array");
  a->of = arrays(base);
  return a;
}

TypeNode* Parser::declarator(TypeNode* base, std::string_view& name, Span& name_at, bool abstract) {
  base = pointers(base);
  if (is("(") && (ahead().text == "*" || ahead().text == "&")) {
    // A pointer or reference to an array.
    next();
    TypeNode* hole = type_node(TypeForm::pointer, now().at);
    TypeNode* outer = pointers(hole);
    name_at = now().at;
    if (now().kind == Tok::name) name = identifier("a name");
    if (is("[")) outer = arrays(outer);
    expect(")", "behind this declarator");
    if (is("(")) {
      fail(now().at, "function pointers are not supported", "call the function directly or make it a template parameter");
      return base;
    }
    // What is inside the parentheses points to the array.
    TypeNode* array = arrays(base);
    for (TypeNode* t = outer;; t = t->of)
      if (t->of == hole) {
        t->of = array;
        break;
      } else if (!t->of) {
        return base;
      }
    return outer;
  }
  name_at = now().at;
  if (now().kind == Tok::name && !(abstract && (is("const")))) name = identifier("a name");
  else if (!abstract) name = identifier("a name");
  return arrays(base);
}

TypeNode* Parser::type_name() {
  const Deeper deeper(*this);
  if (stopped_) return type_node(TypeForm::automatic, now().at);
  Specifiers s = specifiers(true);
  TypeNode* t = pointers(s.type);
  if (is("(") && (ahead().text == "*" || ahead().text == "&")) {
    std::string_view name;
    Span at;
    return declarator(t, name, at, true);
  }
  return arrays(t);
}

void Parser::parameters(FunctionDecl& f) {
  const int angle = angle_;
  angle_ = 0;
  while (!panic_ && !is(")")) {
    if (is("...")) {
      fail(now().at, "functions with any number of arguments are not supported");
      break;
    }
    Specifiers s = specifiers(false);
    if (panic_) break;
    VarDecl& v = unit_.vars.emplace_back();
    v.at = now().at;
    if (s.type->form == TypeForm::builtin && s.type->name == "void" && is(")") && f.parameters.empty()) break;
    if (is("...")) {
      fail(now().at, "parameter packs are not supported", "write the overloads out");
      break;
    }
    v.type = declarator(s.type, v.name, v.at, true);
    if (take("=")) v.init = initializer();
    if (!v.name.empty()) declare(v.name, Known::variable);
    f.parameters.push_back(&v);
    if (!take(",")) break;
  }
  angle_ = angle;
  expect(")", "behind the parameters");
}

std::vector<TemplateParameter> Parser::template_header() {
  std::vector<TemplateParameter> out;
  expect("template", "of a template");
  expect("<", "behind template");
  const int angle = angle_;
  angle_ = 1;
  while (!panic_ && !is(">") && !is(">>")) {
    TemplateParameter p;
    p.at = now().at;
    if (is("template")) {
      fail(now().at, "templates of templates are not supported");
      break;
    }
    if ((is("typename") || is("class")) && ahead(2).text != "::") {
      next();
      if (is("...")) {
        fail(now().at, "parameter packs are not supported", "write the overloads out");
        break;
      }
      if (now().kind == Tok::name) p.name = identifier("a name");
      if (!p.name.empty()) declare(p.name, Known::type);
      if (take("=")) p.default_type = type_name();
    } else {
      Specifiers s = specifiers(false);
      if (is("...")) {
        fail(now().at, "parameter packs are not supported", "write the overloads out");
        break;
      }
      p.type = declarator(s.type, p.name, p.at, true);
      if (!p.name.empty()) declare(p.name, Known::variable);
      if (take("=")) p.default_value = conditional();
    }
    out.push_back(p);
    if (!take(",")) break;
  }
  angle_ = angle;
  expect(">", "behind the template's parameters");
  return out;
}

void Parser::function_body(FunctionDecl& f) {
  if (take(":")) {
    while (!panic_ && !is("{")) {
      FunctionDecl::Initializer i{};
      i.at = now().at;
      i.name = identifier("a member's name");
      i.list = expr(ExprForm::list, now().at);
      const bool brace = is("{");
      if (!brace && !is("(")) fail(now().at, "the value of this member is missing", "write member(value)");
      next();
      call_arguments(i.list->list, brace ? "}" : ")");
      f.initializers.push_back(i);
      if (!take(",")) break;
    }
  }
  if (!panic_) f.body = block();
}

EnumDecl* Parser::enumeration(const Span& at) {
  EnumDecl& e = unit_.enum_store.emplace_back();
  next();  // enum
  e.at = at;
  e.scoped = take("class") || take("struct");
  if (now().kind == Tok::name) e.name = identifier("a name");
  if (take(":")) e.underlying = type_name();
  if (!is("{")) {
    if (const auto f = unit_.enums.find(e.name); f != unit_.enums.end()) return f->second;
    fail(now().at, "enum '" + std::string(e.name) + "' is not known", "define it before");
    return &e;
  }
  if (!e.name.empty()) {
    declare(e.name, Known::type);
    unit_.enums.insert_or_assign(e.name, &e);
  } else {
    unit_.enums.insert_or_assign(now().text, &e), unit_.enums.erase(now().text);
  }
  next();
  while (!panic_ && !is("}")) {
    EnumDecl::Item i{};
    i.at = now().at;
    i.name = identifier("a name");
    i.value = take("=") ? conditional() : nullptr;
    if (!e.scoped) declare(i.name, Known::variable);
    e.items.push_back(i);
    if (!take(",")) break;
  }
  expect("}", "behind the names of an enum");
  return &e;
}

StructDecl* Parser::structure(const Span& at, std::vector<TemplateParameter> templates, bool is_template) {
  const Deeper deeper(*this);
  next();  // struct
  Expr* align = nullptr;
  while (!panic_ && (is("alignas") || is("__align__"))) {
    next();
    std::vector<Expr*> list;
    if (expect("(", "behind the alignment")) call_arguments(list, ")");
    if (!list.empty()) align = list[0];
  }
  std::string_view name;
  if (now().kind == Tok::name) name = identifier("a name");
  if (!is("{") && !is(":")) {
    if (const auto f = unit_.structs.find(name); f != unit_.structs.end() && !is("<")) return f->second;
    if (is("<")) fail(now().at, "specializations of templates are not supported", "use if constexpr");
    StructDecl& s = unit_.struct_store.emplace_back();
    s.name = name;
    s.at = at;
    s.is_template = is_template;
    s.templates = std::move(templates);
    if (!name.empty()) {
      scopes_[0].insert_or_assign(name, is_template ? Known::struct_template : Known::type);
      unit_.structs.insert_or_assign(name, &s);
    }
    return &s;
  }
  StructDecl* s = nullptr;
  if (const auto f = unit_.structs.find(name); f != unit_.structs.end() && !f->second->defined && !name.empty()) s = f->second;
  else s = &unit_.struct_store.emplace_back();
  s->name = name;
  s->at = from(at);
  s->prelude = now().prelude;
  s->align = align;
  s->is_template = is_template;
  s->templates = std::move(templates);
  s->defined = true;
  if (!name.empty()) {
    // Known in the scope that a template's parameters do not belong to.
    scopes_[is_template && scopes_.size() > 1 ? scopes_.size() - 2 : scopes_.size() - 1].insert_or_assign(name, is_template ? Known::struct_template : Known::type);
    unit_.structs.insert_or_assign(name, s);
  }
  if (is(":")) {
    fail(now().at, "base classes are not supported", "make the base a member");
    return s;
  }
  next();
  StructDecl* outer = owner_;
  owner_ = s;
  scopes_.emplace_back();
  while (!done() && !is("}") && !stopped_) {
    const size_t before = at_;
    member(*s);
    if (panic_) break;
    if (at_ == before) next();
  }
  scopes_.pop_back();
  owner_ = outer;
  expect("}", "behind the members of a struct");
  return s;
}

void Parser::member(StructDecl& s) {
  if (take(";")) return;
  if ((is("public") || is("private") || is("protected")) && ahead().text == ":") {
    next();
    next();
    return;
  }
  const Span begin = now().at;
  if (is("static_assert")) {
    unit_.assertions.push_back(static_assertion());
    return;
  }
  if (is("using")) {
    next();
    const std::string_view name = identifier("a name");
    if (expect("=", "behind using")) s.aliases.emplace_back(name, type_name());
    declare(name, Known::type);
    expect(";", "behind using");
    return;
  }
  std::vector<TemplateParameter> templates;
  bool is_template = false;
  scopes_.emplace_back();
  struct Pop { Parser& p; ~Pop() { p.scopes_.pop_back(); } } pop{*this};
  if (is("template")) {
    templates = template_header();
    is_template = true;
  }
  // A constructor has no type before its name.
  size_t k = at_;
  while (k < t_.size() && (t_[k].text == "__device__" || t_[k].text == "__host__" || t_[k].text == "__forceinline__" || t_[k].text == "inline" ||
                           t_[k].text == "constexpr" || t_[k].text == "explicit"))
    ++k;
  if (k + 1 < t_.size() && t_[k].text == "~") {
    fail(t_[k].at, "destructors are not supported");
    return;
  }
  FunctionDecl* f = nullptr;
  if (k + 1 < t_.size() && t_[k].text == s.name && t_[k + 1].text == "(") {
    f = &unit_.function_store.emplace_back();
    f->name = s.name;
    for (; at_ < k; next()) f->is_device |= is("__device__");
    next();
  } else {
    Specifiers sp = specifiers(false);
    if (panic_) return;
    if (take(";")) return;
    std::string_view name;
    Span name_at;
    TypeNode* type = pointers(sp.type);
    if (is("operator")) {
      name_at = now().at;
      next();
      std::string op;
      if (is("(") || is("[")) {
        op = is("(") ? "()" : "[]";
        next();
        next();
      } else if (now().kind == Tok::punct) {
        op = now().text;
        next();
      } else {
        fail(now().at, "conversion operators are not supported", "write a method with a name");
        return;
      }
      static const char* const all[] = {"()", "[]", "+", "-", "*", "/", "%", "==", "!=", "<", ">", "<=", ">=", "+=", "-=", "*=", "/=", "=", "&", "|", "^", "!", "~", "<<", ">>", "++", "--"};
      for (const char* o : all)
        if (op == o) name = o;
      if (name.empty()) fail(name_at, "operator " + op + " is not supported");
    } else {
      type = declarator(type, name, name_at, false);
    }
    if (panic_) return;
    if (!is("(")) {
      for (;;) {
        VarDecl& v = unit_.vars.emplace_back();
        v.name = name;
        v.at = name_at;
        v.type = type;
        v.is_constexpr = sp.is_constexpr;
        v.is_static = sp.is_static;
        if (take("=")) v.init = initializer();
        else if (is("{")) v.init = init_list();
        if (is(":")) fail(now().at, "bit fields are not supported", "use shifts and masks");
        if (sp.is_static && !sp.is_constexpr && !sp.is_const) fail(name_at, "static members must be constexpr");
        (sp.is_static ? s.constants : s.fields).push_back(&v);
        scopes_[scopes_.size() - 2].insert_or_assign(name, Known::variable);
        if (!take(",")) break;
        name = {};
        type = declarator(sp.type, name, name_at, false);
      }
      expect(";", "behind a member");
      return;
    }
    f = &unit_.function_store.emplace_back();
    f->name = name;
    f->result = type;
    f->is_static = sp.is_static;
    f->is_device = sp.is_device || sp.is_constexpr;
  }
  f->prelude = now().prelude;
  f->owner = &s;
  f->is_template = is_template;
  f->templates = std::move(templates);
  expect("(", "behind the name of a method");
  parameters(*f);
  while (is("const") || is("noexcept") || is("override")) {
    if (is("const")) f->is_const = true;
    next();
  }
  f->at = from(begin);
  if (take("=")) {
    if (is("default") || is("delete")) {
      next();
      expect(";", "behind = default");
      return;
    }
  }
  if (is("{") || is(":")) function_body(*f);
  else expect(";", "behind a method");
  s.methods.push_back(f);
}

}  // namespace lk::simt
