#include "serve/json_scan.h"

#include <algorithm>
#include <charconv>

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
        // The few escaped characters of names are kept as they are written; nothing here compares them.
        if (text_.size() < kLongestText) text_ += c;
        state_ = State::kText;
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
  } else {
    state_ = State::kBetween;
    end_text();
  }
  return end + 1;
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
