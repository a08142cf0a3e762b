// English stems: Snowball's English stemmer (M. F. Porter's revision of his algorithm of 1980), the same natively and in
// WebAssembly.
#pragma once
#include <memory>
#include <string_view>

struct sb_stemmer;

namespace lk::search {

/// Makes stems of lower-case words. Holds a buffer of its own: one for each thread.
class Stemmer {
 public:
  Stemmer();
  ~Stemmer();
  Stemmer(const Stemmer&) = delete;
  Stemmer& operator=(const Stemmer&) = delete;

  /// "occupancies" -> "occup". Words that hold anything but the letters a to z, and words of one or two letters, are their
  /// own stems. What comes back is valid until the next call, or as long as `word`.
  std::string_view stem(std::string_view word) const;

 private:
  sb_stemmer* stemmer_;
};

}  // namespace lk::search
