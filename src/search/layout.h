// What writer and reader of an index agree about, beside format.h.
#pragma once
#include <cstdint>
#include <string_view>

namespace lk::search {

inline constexpr std::string_view index_magic = "LKSI", text_magic = "LKST";
inline constexpr uint32_t header_size = 12 + 6 * 12;
inline constexpr uint8_t anchor_is_slug = 128;  // in an entry's kind: its anchor is the slug of its title

}  // namespace lk::search
