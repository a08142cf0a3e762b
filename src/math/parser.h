// The parser behind tex.h; private to this folder. A recursive descent that writes MathML as it goes, MathML Core only: what
// needs more than its attributes is a class that the style sheet knows.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "math/symbols.h"
#include "math/tex.h"

namespace lk::math {

/// What an element is to its neighbors: decides signs and where scripts go.
enum class Role : uint8_t { none, term, op, open, large, limit, integral };

struct Atom {
  std::string xml;
  Role role = Role::none;
};

/// <tag attributes>content</tag>; `attributes` begin with a space, `content` is escaped.
std::string element(std::string_view tag, std::string_view attributes, std::string_view content);

class Parser {
 public:
  Parser(std::string_view tex, bool display) : tex_(tex), display_(display) {}
  std::string run();
  std::vector<Fault> faults;

 private:
  void fault(size_t at, std::string what, std::string hint);
  // One level down; false, and the end of the text, when that is too deep. Levels are left by --depth_.
  bool enter(size_t at);
  void blanks();
  // A command by its whole name: \right, not \rightarrow.
  bool looking_at(std::string_view command) const;
  bool at_stop() const;
  // Atoms up to what closes the row, as siblings.
  std::string row();
  static std::string grouped(std::string row) { return element("mrow", "", row); }
  // {row} or one atom: an argument is one element whatever it holds.
  std::string argument(std::string_view of);
  std::string group();
  // {words} as they stand.
  std::string argument_text();
  // An atom with what stands above and below it.
  Atom scripted();
  // A name is applied to what follows it; MathML says so with a sign that is heard and not seen.
  Atom applied(Atom atom);
  Atom atom();
  // 1,024.5: a comma belongs to a number when three digits follow it.
  std::string number();
  bool three_digits(size_t at) const;
  Atom foreign();
  Atom sign(std::string_view text);
  static Atom binary(std::string_view text) { return {element("mo", "", text), Role::op}; }
  static Atom relation(std::string_view text) { return {element("mo", "", text), Role::op}; }
  static std::string fence(std::string_view text, std::string_view more = " stretchy=\"false\"");
  std::string command_name();
  Atom command();
  Atom of_symbol(const Symbol& s);
  Atom fraction(const std::string& name);
  Atom root();
  std::optional<Atom> alphabet(const std::string& name);
  // What follows \left, \right and \big: a sign, a command for one, or a point for none.
  std::string delimiter();
  Atom fenced(size_t from);
  Atom sized(const std::string& name);
  Atom braced(const std::string& name);
  Atom environment(size_t from);

  std::string_view tex_;
  bool display_ = false;
  bool style_display_ = display_;
  size_t at_ = 0;
  int depth_ = 0;
  bool deep_ = false;  // and nothing else is worth saying
  bool bracket_ = false;  // inside the [...] of a root
  bool name_ = false;     // a function's name was just read
  Role before_ = Role::none;
};

}  // namespace lk::math
