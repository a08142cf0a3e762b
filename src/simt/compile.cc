#include "simt/compile.h"

#include <algorithm>

#include "simt/lower.h"
#include "simt/prelude.h"

namespace lk::simt {
namespace {

constexpr size_t largest_source = 10'000'000;

// "name<32, float>" as tokens of its arguments.
std::vector<TemplateArgument> instance_arguments(std::string_view text, Unit& unit, Problems& problems, std::deque<std::string>& texts) {
  // The parser reads it as an alias, whose type then carries the arguments.
  texts.push_back("struct lk_instance_holder; using lk_instance = lk_instance_of<" + std::string(text) + ">;");
  std::vector<Token> tokens = lex(texts.back(), problems, true);
  unit.names["lk_instance_of"] = Known::struct_template;
  parse(std::move(tokens), unit, problems);
  unit.names.erase("lk_instance_of");
  const auto f = unit.aliases.find("lk_instance");
  std::vector<TemplateArgument> out = f == unit.aliases.end() ? std::vector<TemplateArgument>{} : f->second->arguments;
  if (f != unit.aliases.end()) unit.aliases.erase(f);
  return out;
}

}  // namespace

Compiled compile(std::string_view source, const CompileOptions& options) {
  Compiled out;
  Problems problems(options.file);
  out.program.file = options.file;
  if (source.size() > largest_source) {
    problems.error({}, "this source has " + std::to_string(source.size()) + " bytes", "10,000,000 are the most");
    out.problems = problems.take();
    return out;
  }
  Words words;
  Macros macros;
  Unit unit;
  {
    Problems own("prelude");
    std::vector<Token> tokens = preprocess(lex(prelude(), own, true), macros, words, own);
    parse(std::move(tokens), unit, own);
    for (FunctionDecl& f : unit.function_store)
      if (!f.body) f.builtin = find_builtin(f.name);
    if (own.errors() > 0) {
      out.problems = own.take();
      return out;
    }
  }
  std::deque<std::string> texts;
  for (const auto& [name, value] : options.defines) {
    texts.push_back("#define " + name + " " + value + "\n");
    preprocess(lex(texts.back(), problems, false), macros, words, problems);
  }
  std::vector<Token> tokens = preprocess(lex(source, problems, false), macros, words, problems);
  parse(std::move(tokens), unit, problems);
  std::vector<std::pair<std::string, std::vector<TemplateArgument>>> instances;
  for (const std::string& i : options.instances) {
    const size_t open = i.find('<');
    std::string name = i.substr(0, open);
    std::erase(name, ' ');
    if (open == std::string::npos || i.back() != '>') {
      problems.error({}, "'" + i + "' names no instance of a template", "write name<arguments>");
      continue;
    }
    const bool known = std::any_of(unit.kernels.begin(), unit.kernels.end(), [&](const FunctionDecl* f) { return f->name == name && f->is_template; });
    if (!known) {
      problems.error({}, "there is no template kernel '" + name + "'");
      continue;
    }
    instances.push_back({i, instance_arguments(std::string_view(i).substr(open + 1, i.size() - open - 2), unit, problems, texts)});
  }
  const int errors = problems.errors();
  Lower lower(unit, problems, out.program, options);
  if (errors == 0 || !unit.kernels.empty()) {
    lower.check_assertions();
    for (FunctionDecl* f : unit.kernels) {
      if (problems.full()) break;
      if (!f->is_template) {
        lower.kernel(f, {}, std::string(f->name));
        continue;
      }
      for (const auto& [text, arguments] : instances) {
        std::string name = text.substr(0, text.find('<'));
        std::erase(name, ' ');
        if (name == f->name) lower.kernel(f, arguments, text);
      }
    }
  }
  const bool bad = problems.errors() > 0;
  if (bad) out.program = Program{options.file, {}, {}, {}, {}};
  out.problems = problems.take();
  std::stable_sort(out.problems.begin(), out.problems.end(), [](const Problem& a, const Problem& b) {
    return a.error.at.line != b.error.at.line ? a.error.at.line < b.error.at.line : a.error.at.column < b.error.at.column;
  });
  return out;
}

}  // namespace lk::simt
