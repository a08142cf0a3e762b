// SHA-256 by OpenSSL.
#pragma once
#include <string>
#include <string_view>

namespace lk::site {

std::string sha256_hex(std::string_view bytes);
/// As content security policies write it: "sha256-<base64>".
std::string sha256_csp(std::string_view bytes);

}  // namespace lk::site
