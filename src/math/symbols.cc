#include "math/symbols.h"

#include <algorithm>
#include <array>

namespace lk::math {
namespace {

constexpr std::array symbols = {
    Symbol{"alpha", "α", Sort::letter}, Symbol{"beta", "β", Sort::letter}, Symbol{"gamma", "γ", Sort::letter}, Symbol{"delta", "δ", Sort::letter},
    Symbol{"epsilon", "ϵ", Sort::letter}, Symbol{"varepsilon", "ε", Sort::letter}, Symbol{"zeta", "ζ", Sort::letter}, Symbol{"eta", "η", Sort::letter},
    Symbol{"theta", "θ", Sort::letter}, Symbol{"vartheta", "ϑ", Sort::letter}, Symbol{"iota", "ι", Sort::letter}, Symbol{"kappa", "κ", Sort::letter},
    Symbol{"lambda", "λ", Sort::letter}, Symbol{"mu", "μ", Sort::letter}, Symbol{"nu", "ν", Sort::letter}, Symbol{"xi", "ξ", Sort::letter},
    Symbol{"pi", "π", Sort::letter}, Symbol{"rho", "ρ", Sort::letter}, Symbol{"sigma", "σ", Sort::letter}, Symbol{"tau", "τ", Sort::letter},
    Symbol{"upsilon", "υ", Sort::letter}, Symbol{"phi", "ϕ", Sort::letter}, Symbol{"varphi", "φ", Sort::letter}, Symbol{"chi", "χ", Sort::letter},
    Symbol{"psi", "ψ", Sort::letter}, Symbol{"omega", "ω", Sort::letter}, Symbol{"ell", "ℓ", Sort::upright}, Symbol{"hbar", "ℏ", Sort::upright},
    Symbol{"Gamma", "Γ", Sort::upright}, Symbol{"Delta", "Δ", Sort::upright}, Symbol{"Theta", "Θ", Sort::upright}, Symbol{"Lambda", "Λ", Sort::upright},
    Symbol{"Xi", "Ξ", Sort::upright}, Symbol{"Pi", "Π", Sort::upright}, Symbol{"Sigma", "Σ", Sort::upright}, Symbol{"Phi", "Φ", Sort::upright},
    Symbol{"Psi", "Ψ", Sort::upright}, Symbol{"Omega", "Ω", Sort::upright}, Symbol{"infty", "∞", Sort::upright}, Symbol{"emptyset", "∅", Sort::upright},
    Symbol{"partial", "∂", Sort::upright}, Symbol{"nabla", "∇", Sort::ordinary}, Symbol{"top", "⊤", Sort::ordinary}, Symbol{"bot", "⊥", Sort::ordinary},

    Symbol{"le", "≤", Sort::relation}, Symbol{"leq", "≤", Sort::relation}, Symbol{"ge", "≥", Sort::relation}, Symbol{"geq", "≥", Sort::relation},
    Symbol{"lt", "<", Sort::relation}, Symbol{"gt", ">", Sort::relation}, Symbol{"ne", "≠", Sort::relation}, Symbol{"neq", "≠", Sort::relation},
    Symbol{"approx", "≈", Sort::relation}, Symbol{"equiv", "≡", Sort::relation}, Symbol{"sim", "∼", Sort::relation}, Symbol{"propto", "∝", Sort::relation},
    Symbol{"ll", "≪", Sort::relation}, Symbol{"gg", "≫", Sort::relation}, Symbol{"in", "∈", Sort::relation}, Symbol{"notin", "∉", Sort::relation},
    Symbol{"subset", "⊂", Sort::relation}, Symbol{"subseteq", "⊆", Sort::relation}, Symbol{"to", "→", Sort::relation}, Symbol{"rightarrow", "→", Sort::relation},
    Symbol{"leftarrow", "←", Sort::relation}, Symbol{"gets", "←", Sort::relation}, Symbol{"leftrightarrow", "↔", Sort::relation}, Symbol{"mapsto", "↦", Sort::relation},
    Symbol{"Rightarrow", "⇒", Sort::relation}, Symbol{"implies", "⇒", Sort::relation}, Symbol{"Leftrightarrow", "⇔", Sort::relation}, Symbol{"iff", "⇔", Sort::relation},
    Symbol{"mid", "∣", Sort::relation}, Symbol{"parallel", "∥", Sort::relation}, Symbol{"coloneqq", "≔", Sort::relation},

    Symbol{"times", "×", Sort::binary}, Symbol{"cdot", "·", Sort::binary}, Symbol{"div", "÷", Sort::binary}, Symbol{"pm", "±", Sort::binary},
    Symbol{"mp", "∓", Sort::binary}, Symbol{"ast", "∗", Sort::binary}, Symbol{"circ", "∘", Sort::binary}, Symbol{"bullet", "•", Sort::binary},
    Symbol{"oplus", "⊕", Sort::binary}, Symbol{"otimes", "⊗", Sort::binary}, Symbol{"odot", "⊙", Sort::binary}, Symbol{"cup", "∪", Sort::binary},
    Symbol{"cap", "∩", Sort::binary}, Symbol{"setminus", "∖", Sort::binary}, Symbol{"land", "∧", Sort::binary}, Symbol{"lor", "∨", Sort::binary},
    Symbol{"bmod", "mod", Sort::relation}, Symbol{"lnot", "¬", Sort::ordinary}, Symbol{"forall", "∀", Sort::ordinary}, Symbol{"exists", "∃", Sort::ordinary},
    Symbol{"prime", "′", Sort::ordinary}, Symbol{"ldots", "…", Sort::ordinary}, Symbol{"dots", "…", Sort::ordinary}, Symbol{"cdots", "⋯", Sort::ordinary},
    Symbol{"vdots", "⋮", Sort::ordinary}, Symbol{"ddots", "⋱", Sort::ordinary}, Symbol{"colon", ":", Sort::punct},

    Symbol{"sum", "∑", Sort::large}, Symbol{"prod", "∏", Sort::large}, Symbol{"bigcup", "⋃", Sort::large}, Symbol{"bigcap", "⋂", Sort::large},
    Symbol{"bigoplus", "⨁", Sort::large}, Symbol{"int", "∫", Sort::integral},

    Symbol{"log", "log", Sort::function}, Symbol{"ln", "ln", Sort::function}, Symbol{"lg", "lg", Sort::function}, Symbol{"exp", "exp", Sort::function},
    Symbol{"sin", "sin", Sort::function}, Symbol{"cos", "cos", Sort::function}, Symbol{"tan", "tan", Sort::function}, Symbol{"tanh", "tanh", Sort::function},
    Symbol{"arg", "arg", Sort::function}, Symbol{"det", "det", Sort::function}, Symbol{"dim", "dim", Sort::function}, Symbol{"deg", "deg", Sort::function},
    Symbol{"max", "max", Sort::limit}, Symbol{"min", "min", Sort::limit}, Symbol{"lim", "lim", Sort::limit}, Symbol{"sup", "sup", Sort::limit},
    Symbol{"inf", "inf", Sort::limit}, Symbol{"gcd", "gcd", Sort::limit}, Symbol{"Pr", "Pr", Sort::limit},

    Symbol{"lceil", "⌈", Sort::open}, Symbol{"rceil", "⌉", Sort::close}, Symbol{"lfloor", "⌊", Sort::open}, Symbol{"rfloor", "⌋", Sort::close},
    Symbol{"langle", "⟨", Sort::open}, Symbol{"rangle", "⟩", Sort::close}, Symbol{"lvert", "|", Sort::open}, Symbol{"rvert", "|", Sort::close},
    Symbol{"lVert", "‖", Sort::open}, Symbol{"rVert", "‖", Sort::close}, Symbol{"lbrace", "{", Sort::open}, Symbol{"rbrace", "}", Sort::close},
    Symbol{"lbrack", "[", Sort::open}, Symbol{"rbrack", "]", Sort::close}, Symbol{"vert", "|", Sort::fence}, Symbol{"Vert", "‖", Sort::fence},
    Symbol{"{", "{", Sort::open}, Symbol{"}", "}", Sort::close}, Symbol{"|", "‖", Sort::fence},

    Symbol{"%", "%", Sort::upright}, Symbol{"$", "$", Sort::upright}, Symbol{"#", "#", Sort::upright}, Symbol{"&", "&", Sort::upright},
    Symbol{"_", "_", Sort::upright},

    Symbol{"hat", "^", Sort::accent}, Symbol{"widehat", "^", Sort::accent}, Symbol{"bar", "¯", Sort::accent}, Symbol{"overline", "¯", Sort::accent},
    Symbol{"tilde", "~", Sort::accent}, Symbol{"widetilde", "~", Sort::accent}, Symbol{"vec", "→", Sort::accent}, Symbol{"dot", "˙", Sort::accent},

    Symbol{",", "0.1667", Sort::space}, Symbol{":", "0.2222", Sort::space}, Symbol{";", "0.2778", Sort::space}, Symbol{"!", "-0.1667", Sort::space},
    Symbol{" ", "0.25", Sort::space}, Symbol{"quad", "1", Sort::space}, Symbol{"qquad", "2", Sort::space}, Symbol{"thinspace", "0.1667", Sort::space},
};

// A code point above U+FFFF or below, as UTF-8.
std::string utf8(char32_t c) {
  std::string out;
  if (c < 0x10000) {
    out += static_cast<char>(0xE0 | (c >> 12));
  } else {
    out += static_cast<char>(0xF0 | (c >> 18));
    out += static_cast<char>(0x80 | ((c >> 12) & 0x3F));
  }
  out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
  out += static_cast<char>(0x80 | (c & 0x3F));
  return out;
}

struct Hole {
  char letter;
  char32_t code;
};

// Some capitals had places before their alphabets did; the alphabets have holes there.
std::string capital(char letter, char32_t first, const Hole* holes, size_t count) {
  if (letter < 'A' || letter > 'Z') return {};
  const auto* hole = std::find_if(holes, holes + count, [&](const Hole& h) { return h.letter == letter; });
  return utf8(hole != holes + count ? hole->code : first + static_cast<char32_t>(letter - 'A'));
}

}  // namespace

const Symbol* symbol(std::string_view name) {
  const auto* found = std::find_if(symbols.data(), symbols.data() + symbols.size(), [&](const Symbol& s) { return s.name == name; });
  return found == symbols.data() + symbols.size() ? nullptr : found;
}

const Symbol* command_of(std::string_view sign) {
  const auto* found = std::find_if(symbols.data(), symbols.data() + symbols.size(), [&](const Symbol& s) { return s.text == sign && s.sort != Sort::accent; });
  return found == symbols.data() + symbols.size() ? nullptr : found;
}

std::vector<std::string_view> symbol_names() {
  std::vector<std::string_view> out;
  for (const Symbol& s : symbols) out.push_back(s.name);
  return out;
}

std::string blackboard(char letter) {
  static constexpr std::array holes = {Hole{'C', 0x2102}, Hole{'H', 0x210D}, Hole{'N', 0x2115}, Hole{'P', 0x2119}, Hole{'Q', 0x211A}, Hole{'R', 0x211D}, Hole{'Z', 0x2124}};
  return capital(letter, 0x1D538, holes.data(), holes.size());
}

std::string script(char letter) {
  static constexpr std::array holes = {Hole{'B', 0x212C}, Hole{'E', 0x2130}, Hole{'F', 0x2131}, Hole{'H', 0x210B}, Hole{'I', 0x2110}, Hole{'L', 0x2112}, Hole{'M', 0x2133}, Hole{'R', 0x211B}};
  return capital(letter, 0x1D49C, holes.data(), holes.size());
}

}  // namespace lk::math
