#include "io/message_table.h"

#include <algorithm>
#include <cstring>
#include <optional>

namespace ttscope::io {
namespace {

constexpr char kQuote = '`';
constexpr char kDelimiter = ';';
constexpr std::string_view kToolsStart = "`TT_";

bool is_of_time(char c) { return (c >= '0' && c <= '9') || c == '-' || c == '.'; }

}  // namespace

/// Where a line of a message ends, and what of it is the time.
struct MessageTable::End {
  const char* text = nullptr;  ///< the message ends here, if it does
  const char* time = nullptr;
  const char* time_end = nullptr;
  const char* line = nullptr;  ///< its line feed, or the end of the table
  bool has_time = false;
  bool has_quote = false;  ///< a backtick stands before the time
};

MessageTable::MessageTable(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {
  const std::string_view first = text.substr(0, text.find('\n'));
  has_header_ = first.find("MessageName") != std::string_view::npos;
  at_ += has_header_ ? first.size() : text.size();
}

MessageTable::End MessageTable::end_of_line(const char* start) const {
  End end;
  const auto* feed =
      start == end_
          ? nullptr
          : static_cast<const char*>(std::memchr(start, '\n', static_cast<std::size_t>(end_ - start)));
  end.line = feed != nullptr ? feed : end_;
  end.time_end = end.line;
  if (feed != nullptr && end.time_end != start && end.time_end[-1] == '\r') --end.time_end;
  end.time = end.time_end;
  while (end.time != start && is_of_time(end.time[-1])) --end.time;
  end.has_time = end.time != end.time_end && end.time != start && end.time[-1] == kDelimiter;
  if (!end.has_time) end.time = end.time_end;
  end.text = end.has_time ? end.time - 1 : end.time_end;
  end.has_quote = end.text > at_ + 1 && end.text[-1] == kQuote;
  return end;
}

/// Of a message that is no tool's: at the first time, or where one of a tool begins.
MessageTable::End MessageTable::end_of_users() const {
  for (const char* line = at_;;) {
    const End end = end_of_line(line);
    const std::string_view behind(end.line, static_cast<std::size_t>(end_ - end.line));
    if (end.has_time || behind.size() <= 1 || behind.substr(1).starts_with(kToolsStart)) return end;
    line = end.line + 1;
  }
}

/// Of a tool's: at the first time behind a backtick that leaves none inside of it alone. Up to where the next
/// one begins there may be none: then at the first behind a backtick, else it was cut at the first time.
MessageTable::End MessageTable::end_of_tools() {
  const bool may_pair = at_ >= unpaired_until_[is_odd_];
  const bool may_quote = may_pair || at_ >= unpaired_until_[!is_odd_];
  std::optional<End> first_quoted;
  std::optional<End> first;
  std::ptrdiff_t quotes = 0;
  for (const char* line = at_;;) {
    const End end = end_of_line(line);
    quotes += std::count(line, end.text, kQuote);
    const std::string_view behind(end.line, static_cast<std::size_t>(end_ - end.line));
    const bool is_last = behind.size() <= 1;
    if (end.has_quote && (end.has_time || is_last)) {
      if (quotes % 2 == 0 || !may_pair) return end;
      if (!first_quoted) first_quoted = end;
    }
    if (end.has_time && !first) first = end;
    if (first && !may_quote) return *first;
    if (is_last || (end.has_time && behind.substr(1).starts_with(kToolsStart))) {
      unpaired_until_[is_odd_] = end.line;
      if (!first_quoted) unpaired_until_[!is_odd_] = end.line;
      return first_quoted.value_or(first.value_or(end));
    }
    line = end.line + 1;
  }
}

void MessageTable::take(const End& end) {
  const char* const start = at_;
  const bool begins_with_quote = *start == kQuote;
  const bool is_between = begins_with_quote && end.has_quote;
  row_.written = {start, static_cast<std::size_t>(end.text - start)};
  row_.message = is_between ? row_.written.substr(1, row_.written.size() - 2) : row_.written;
  row_.time = {end.time, static_cast<std::size_t>(end.time_end - end.time)};
  row_.line = next_line_;
  is_odd_ ^= std::count(start, end.text, kQuote) % 2 != 0;
  row_.is_cut = !is_between && row_.written.starts_with(kToolsStart);
  next_line_ += static_cast<std::uint64_t>(std::count(start, end.line, '\n'));
  at_ = end.line;
}

bool MessageTable::next() {
  while (at_ != end_ && (*at_ == '\n' || *at_ == '\r')) {
    if (*at_ == '\n') ++next_line_;
    ++at_;
  }
  if (at_ == end_) return false;
  const std::string_view rest(at_, static_cast<std::size_t>(end_ - at_));
  take(rest.starts_with(kToolsStart) ? end_of_tools() : end_of_users());
  return true;
}

}  // namespace ttscope::io
