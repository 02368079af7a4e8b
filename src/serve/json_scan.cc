#include "serve/json_scan.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/utf8.h"

namespace ttscope::serve {
namespace {

constexpr std::size_t kDeepest = 64;
constexpr std::size_t kLongestText = 1024;

bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

}  // namespace

bool JsonPath::is(std::initializer_list<std::string_view> keys) const {
  return std::equal(levels_.begin(), levels_.end(), keys.begin(), keys.end(),
                    [](const Level& level, std::string_view key) { return key == "*" || level.key == key; });
}

bool JsonScanner::feed(std::string_view piece) {
  std::size_t at = 0;
  while (at < piece.size() && !failed_) {
    const char c = piece[at];
    switch (state_) {
      case State::kBetween:
        between(c);
        ++at;
        break;
      case State::kText:
        at += take_text(piece.substr(at));
        break;
      case State::kEscape:
        take_escape(c);
        ++at;
        break;
      case State::kLiteral:
        if (is_blank(c) || c == ',' || c == '}' || c == ']') {
          end_literal();
        } else {
          if (text_.size() < kLongestText) text_ += c;
          ++at;
        }
        break;
    }
  }
  return !failed_;
}

void JsonScanner::between(char c) {
  if (is_blank(c)) return;
  started_ = true;
  if (c == '{' || c == '[') return open(c == '[');
  if (c == '}' || c == ']') return close(c == ']');
  if (c == ',') {
    if (path_.levels_.empty()) {
      failed_ = true;
      return;
    }
    JsonPath::Level& level = path_.levels_.back();
    ++level.index;
    expects_key_ = !level.is_array;
    return;
  }
  if (c == ':') {
    expects_key_ = false;
    return;
  }
  text_.clear();
  surrogate_ = 0;
  if (c == '"') {
    state_ = State::kText;
  } else {
    text_ = c;
    state_ = State::kLiteral;
  }
}

void JsonScanner::open(bool is_array) {
  if (path_.levels_.size() >= kDeepest) {
    failed_ = true;
    return;
  }
  path_.levels_.push_back({is_array, 0, {}});
  expects_key_ = !is_array;
}

void JsonScanner::close(bool is_array) {
  if (path_.levels_.empty() || path_.levels_.back().is_array != is_array) {
    failed_ = true;
    return;
  }
  path_.levels_.pop_back();
  expects_key_ = false;
}

/// How much of the piece belongs to the text, its end included.
std::size_t JsonScanner::take_text(std::string_view piece) {
  const std::size_t end = std::min(piece.find_first_of("\"\\"), piece.size());
  if (text_.size() < kLongestText) text_ += piece.substr(0, std::min(end, kLongestText - text_.size()));
  if (end == piece.size()) return end;
  if (piece[end] == '\\') {
    state_ = State::kEscape;
    escape_.clear();
  } else {
    state_ = State::kBetween;
    end_text();
  }
  return end + 1;
}

/// One more character behind a backslash: `n`, or the digits of `u003c`.
void JsonScanner::take_escape(char c) {
  constexpr std::size_t kUnicodeLetters = 5;
  constexpr std::string_view kNames = "bfnrt";
  constexpr std::string_view kMeanings = "\b\f\n\r\t";
  escape_ += c;
  if (escape_[0] == 'u' && escape_.size() < kUnicodeLetters) return;
  state_ = State::kText;
  if (escape_[0] != 'u') {
    const std::size_t known = kNames.find(c);
    return add(static_cast<unsigned char>(known == std::string_view::npos ? c : kMeanings[known]));
  }
  std::uint16_t unit = 0;
  const char* const last = escape_.data() + escape_.size();
  const auto [end, error] = std::from_chars(escape_.data() + 1, last, unit, 16);
  if (error != std::errc() || end != last) return add(kReplacementCharacter);
  if (unit >= 0xD800 && unit < 0xDC00) {
    surrogate_ = unit;
    return;
  }
  if (unit < 0xDC00 || unit > 0xDFFF) return add(unit);
  const char32_t first = std::exchange(surrogate_, 0);
  add(first == 0 ? kReplacementCharacter : 0x10000 + ((first - 0xD800) << 10) + (unit - 0xDC00));
}

void JsonScanner::add(char32_t character) {
  surrogate_ = 0;
  if (text_.size() < kLongestText) append_utf8(text_, character);
}

void JsonScanner::end_text() {
  if (expects_key_ && !path_.levels_.empty()) {
    path_.levels_.back().key = text_;
  } else if (!text_.empty()) {
    take_(path_, 0, text_);
  }
}

void JsonScanner::end_literal() {
  state_ = State::kBetween;
  if (text_ == "true" || text_ == "false") return take_(path_, text_ == "true" ? 1 : 0, {});
  double number = 0;
  const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), number);
  if (error == std::errc() && end == text_.data() + text_.size()) take_(path_, number, {});
}

}  // namespace ttscope::serve
