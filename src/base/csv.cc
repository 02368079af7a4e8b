#include "base/csv.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <algorithm>
#include <cstring>

namespace ttscope {
namespace {

/// The first delimiter or line feed, or `end`. Cells are short, but rows of a report have hundreds of them.
const char* find_cell_end(const char* at, const char* end, char delimiter) {
#if defined(__SSE2__)
  const __m128i delimiters = _mm_set1_epi8(delimiter);
  const __m128i feeds = _mm_set1_epi8('\n');
  for (; end - at >= 16; at += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const int mask =
        _mm_movemask_epi8(_mm_or_si128(_mm_cmpeq_epi8(bytes, delimiters), _mm_cmpeq_epi8(bytes, feeds)));
    if (mask != 0) return at + __builtin_ctz(static_cast<unsigned>(mask));
  }
#endif
  while (at != end && *at != delimiter && *at != '\n') ++at;
  return at;
}

bool is_number(std::string_view text) {
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  bool digits = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool exponent_sign = (c == '-' || c == '+') && i > 0 && (text[i - 1] == 'e' || text[i - 1] == 'E');
    if (c >= '0' && c <= '9') {
      digits = true;
    } else if (c != '.' && !(digits && (c == 'e' || c == 'E')) && !exponent_sign) {
      return false;
    }
  }
  return digits;
}

}  // namespace

bool CsvScanner::next() {
  while (at_ != end_) {
    if (*at_ == '\n') {
      ++at_;
      ++next_line_;
    } else if (*at_ == '\r' && at_ + 1 != end_ && at_[1] == '\n') {
      at_ += 2;
      ++next_line_;
    } else {
      read_record();
      return true;
    }
  }
  return false;
}

void CsvScanner::read_record() {
  cells_.clear();
  line_ = next_line_;
  complete_ = false;
  const char* const start = at_;
  for (;;) {
    if (at_ == end_ || *at_ != format_.quote || !read_quoted()) read_plain();
    if (at_ == end_ || *at_ == '\n') break;
    ++at_;
  }
  const char* last = at_;
  if (at_ != end_) {
    complete_ = true;
    ++next_line_;
    ++at_;
    if (last != start && last[-1] == '\r') --last;
  }
  record_ = {start, static_cast<std::size_t>(last - start)};
}

void CsvScanner::read_plain() {
  const char* const start = at_;
  at_ = find_cell_end(at_, end_, format_.delimiter);
  const char* last = at_;
  if (at_ != end_ && *at_ == '\n' && last != start && last[-1] == '\r') --last;
  cells_.emplace_back(start, static_cast<std::size_t>(last - start));
}

/// `"a ""b"", c"` and what follows up to the delimiter, which belongs to the cell as well. False, with
/// nothing read, if the quote is not closed.
bool CsvScanner::read_quoted() {
  const char* const start = at_ + 1;
  const char* const limit = static_cast<std::size_t>(end_ - start) > format_.max_quoted_bytes
                                ? start + format_.max_quoted_bytes
                                : end_;
  bool doubled = false;
  const char* close = start;
  for (;; close += 2) {
    close =
        static_cast<const char*>(std::memchr(close, format_.quote, static_cast<std::size_t>(limit - close)));
    if (close == nullptr) {
      ++unclosed_quotes_;
      return false;
    }
    if (close + 1 == end_ || close[1] != format_.quote) break;
    doubled = true;
    if (close + 2 >= limit) {
      ++unclosed_quotes_;
      return false;
    }
  }
  next_line_ += static_cast<std::uint64_t>(std::count(start, close, '\n'));
  at_ = find_cell_end(close + 1, end_, format_.delimiter);
  const char* last = at_;
  if (at_ != end_ && *at_ == '\n' && last != close + 1 && last[-1] == '\r') --last;
  finish_quoted(start, close, doubled, {close + 1, static_cast<std::size_t>(last - close - 1)});
  return true;
}

void CsvScanner::finish_quoted(const char* start, const char* end, bool doubled, std::string_view rest) {
  if (!doubled && rest.empty()) {
    cells_.emplace_back(start, static_cast<std::size_t>(end - start));
    return;
  }
  joined_.clear();
  for (const char* at = start; at != end; ++at) {
    joined_ += *at;
    if (*at == format_.quote) ++at;
  }
  joined_ += rest;
  cells_.push_back(arena_.copy(joined_));
}

CsvHeader::CsvHeader(const std::vector<std::string_view>& cells) {
  names_.reserve(cells.size());
  for (const std::string_view cell : cells) {
    const std::size_t first = cell.find_first_not_of(" \t");
    const std::size_t last = cell.find_last_not_of(" \t");
    names_.emplace_back(first == std::string_view::npos ? std::string_view{}
                                                        : cell.substr(first, last - first + 1));
  }
}

std::size_t CsvHeader::find(std::string_view name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  return found == names_.end() ? kNoColumn : static_cast<std::size_t>(found - names_.begin());
}

void append_csv_cell(std::string& to, std::string_view cell) {
  if (cell.find_first_of(",\"\r\n") == std::string_view::npos) {
    to += cell;
    return;
  }
  to += '"';
  for (const char c : cell) {
    if (c == '"') to += '"';
    to += c;
  }
  to += '"';
}

bool reads_as_formula(std::string_view cell) {
  constexpr std::string_view kStarts = "=+-@\t\r";
  return !cell.empty() && kStarts.find(cell.front()) != std::string_view::npos && !is_number(cell);
}

void append_safe_csv_cell(std::string& to, std::string_view cell) {
  if (reads_as_formula(cell)) {
    append_csv_cell(to, "'" + std::string(cell));
  } else {
    append_csv_cell(to, cell);
  }
}

}  // namespace ttscope
