// What writer and reader of an index agree about, beside format.h.
#pragma once
#include <cstdint>
#include <string_view>

namespace lk::search {

inline constexpr std::string_view index_magic = "LKSI", text_magic = "LKST";
inline constexpr uint32_t header_size = 12 + 7 * 12;
// Weighted counts of a word and relative lengths of entries travel as four bits each, in steps of a logarithm.
inline constexpr double count_step = 0.75, length_step = 0.5;  // powers of two
inline constexpr int count_zero = 1, length_zero = 8;         // the codes of a count, and of a relative length, of 1
// BM25 (S. Robertson, H. Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009, section 3.5: weights of fields
// are applied to the counts, before these saturate).
inline constexpr double k1 = 1.2, b = 0.4;

inline constexpr uint8_t anchor_is_slug = 128;  // in an entry's kind: its anchor is the slug of its title

}  // namespace lk::search
