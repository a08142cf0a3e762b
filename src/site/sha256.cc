#include "site/sha256.h"

#include <openssl/evp.h>
#include <openssl/sha.h>

#include <array>

namespace lk::site {

namespace {
std::array<unsigned char, SHA256_DIGEST_LENGTH> digest(std::string_view bytes) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> out{};
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), out.data());
  return out;
}
}  // namespace

std::string sha256_hex(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (const unsigned char b : digest(bytes)) {
    out += digits[b >> 4];
    out += digits[b & 15];
  }
  return out;
}

std::string sha256_csp(std::string_view bytes) {
  const auto d = digest(bytes);
  std::array<unsigned char, 48> text{};
  const int n = EVP_EncodeBlock(text.data(), d.data(), static_cast<int>(d.size()));
  return "sha256-" + std::string(reinterpret_cast<const char*>(text.data()), static_cast<size_t>(n));
}

}  // namespace lk::site
