#include "base/json_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <string>

#include "base/json_writer.h"
#include "base/text.h"

namespace ttscope {
namespace {

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && is_blank_or_break(text.front())) text.remove_prefix(1);
  return text;
}

bool has_key(std::string_view text, std::string_view key, bool of_list) {
  std::string quoted = "\"";
  quoted += key;
  quoted += '"';
  for (std::size_t at = text.find(quoted); at != kNoPlace; at = text.find(quoted, at + 1)) {
    const std::string_view behind = without_blanks(text.substr(at + quoted.size()));
    if (!behind.starts_with(':')) continue;
    if (!of_list || without_blanks(behind.substr(1)).starts_with('[')) return true;
  }
  return false;
}

}  // namespace

bool looks_like_json(std::string_view text) {
  text = without_blanks(text);
  if (text.empty() || (text.front() != '{' && text.front() != '[')) return false;
  const bool is_object = text.front() == '{';
  text = without_blanks(text.substr(1));
  if (text.empty()) return false;
  return is_object ? text.front() == '"' || text.front() == '}'
                   : text.front() == '{' || text.front() == '[' || text.front() == ']';
}

bool has_json_key(std::string_view text, std::string_view key) { return has_key(text, key, false); }

bool has_json_list(std::string_view text, std::string_view key) { return has_key(text, key, true); }

namespace {

/// Bytes that stand for themselves in a string.
constexpr std::array<bool, 256> kPlain = [] {
  std::array<bool, 256> plain{};
  for (std::size_t c = 0x20; c < plain.size(); ++c) plain[c] = c != '"' && c != '\\';
  return plain;
}();

/// How many of the first bytes stand for themselves, eight at a time; may be too few.
std::size_t plain_bytes(std::string_view text) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  constexpr std::uint64_t kHighs = 0x8080808080808080;
  const auto has_zero = [](std::uint64_t word) { return (word - kOnes) & ~word & kHighs; };
  std::size_t count = 0;
  for (; count + 8 <= text.size(); count += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + count, 8);
    const std::uint64_t controls = (word - kOnes * 0x20) & ~word & kHighs;  // a byte below 0x20
    if ((controls | has_zero(word ^ kOnes * '"') | has_zero(word ^ kOnes * '\\')) != 0) break;
  }
  return count;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Four hexadecimal digits; nothing if there are not four.
std::optional<std::uint32_t> hex4(std::string_view text) {
  if (text.size() < 4) return std::nullopt;
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + 4, value, 16);
  if (error != std::errc() || end != text.data() + 4) return std::nullopt;
  return value;
}

void append_utf8(std::uint32_t code, std::string& to) {
  if (code < 0x80) {
    to += static_cast<char>(code);
  } else if (code < 0x800) {
    to += static_cast<char>(0xc0 | (code >> 6));
    to += static_cast<char>(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    to += static_cast<char>(0xe0 | (code >> 12));
    to += static_cast<char>(0x80 | ((code >> 6) & 0x3f));
    to += static_cast<char>(0x80 | (code & 0x3f));
  } else {
    to += static_cast<char>(0xf0 | (code >> 18));
    to += static_cast<char>(0x80 | ((code >> 12) & 0x3f));
    to += static_cast<char>(0x80 | ((code >> 6) & 0x3f));
    to += static_cast<char>(0x80 | (code & 0x3f));
  }
}

constexpr std::uint32_t kReplacement = 0xfffd;

/// Reads what follows `\u`; returns how many characters that are, 0 if it is wrong.
std::size_t append_unicode(std::string_view rest, std::string& to) {
  const std::optional<std::uint32_t> first = hex4(rest);
  if (!first) return 0;
  if (*first < 0xd800 || *first > 0xdfff) {
    append_utf8(*first, to);
    return 4;
  }
  if (*first < 0xdc00 && rest.size() >= 10 && rest[4] == '\\' && rest[5] == 'u') {
    const std::optional<std::uint32_t> second = hex4(rest.substr(6));
    if (second && *second >= 0xdc00 && *second <= 0xdfff) {
      append_utf8(0x10000 + ((*first - 0xd800) << 10) + (*second - 0xdc00), to);
      return 10;
    }
  }
  append_utf8(kReplacement, to);
  return 4;
}

char simple_escape(char c) {
  switch (c) {
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case 'r':
      return '\r';
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case '"':
    case '\\':
    case '/':
      return c;
    default:
      return '\0';
  }
}

}  // namespace

char JsonCursor::peek() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c != ' ' && c != '\n' && c != '\t' && c != '\r') return c;
    ++at_;
  }
  return '\0';
}

bool JsonCursor::take(char wanted) {
  if (peek() != wanted || at_ == text_.size()) return false;
  ++at_;
  return true;
}

std::optional<std::string_view> JsonCursor::take_string() {
  if (!take('"')) {
    fail("a string");
    return std::nullopt;
  }
  const std::size_t begin = at_;
  while (at_ < text_.size()) {
    const auto c = static_cast<unsigned char>(text_[at_]);
    if (kPlain[c]) {
      at_ += 1 + plain_bytes(text_.substr(at_ + 1));
      continue;
    }
    if (c == '"') return text_.substr(begin, at_++ - begin);
    if (c < 0x20) break;
    at_ += c == '\\' ? 2u : 1u;
  }
  at_ = std::min(at_, text_.size());
  fail("the end of a string");
  return std::nullopt;
}

std::optional<std::string_view> JsonCursor::take_value() {
  peek();
  const std::size_t begin = at_;
  closers_.clear();
  if (!open_or_pass()) return std::nullopt;
  while (!closers_.empty()) {
    if (!close_or_next()) return std::nullopt;
  }
  return text_.substr(begin, at_ - begin);
}

/// At a value: enters a container (and leaves it if it is empty) or passes a scalar.
bool JsonCursor::open_or_pass() {
  for (;;) {
    const char c = peek();
    if (c != '{' && c != '[') return pass_scalar();
    ++at_;
    const char closer = c == '{' ? '}' : ']';
    if (take(closer)) return true;
    closers_.push_back(closer);
    if (c == '{' && !pass_key()) return false;
  }
}

/// Behind a value inside a container: leaves it, or passes the next value of it.
bool JsonCursor::close_or_next() {
  if (take(closers_.back())) {
    closers_.pop_back();
    return true;
  }
  if (!take(',')) return fail(closers_.back() == '}' ? "a comma or }" : "a comma or ]");
  if (closers_.back() == '}' && !pass_key()) return false;
  return open_or_pass();
}

bool JsonCursor::pass_key() {
  if (peek() != '"') return fail("a key");
  if (!take_string()) return false;
  return take(':') || fail("a colon");
}

bool JsonCursor::pass_scalar() {
  const char c = peek();
  if (c == '"') return take_string().has_value();
  if (c == '-' || is_digit(c)) return pass_number();
  for (const std::string_view word : {"true", "false", "null"}) {
    if (text_.substr(at_, word.size()) == word) {
      at_ += word.size();
      return true;
    }
  }
  return fail("a value");
}

bool JsonCursor::pass_number() {
  const auto digits = [&] {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    return at_ > begin;
  };
  const auto is_next = [&](std::string_view any) {
    return at_ < text_.size() && any.find(text_[at_]) != std::string_view::npos;
  };
  if (is_next("-")) ++at_;
  if (!digits()) return fail("a digit");
  if (is_next(".")) {
    ++at_;
    if (!digits()) return fail("a digit");
  }
  if (!is_next("eE")) return true;
  ++at_;
  if (is_next("+-")) ++at_;
  return digits() || fail("a digit");
}

std::optional<std::string> json_unescaped(std::string_view escaped) {
  std::string text;
  text.reserve(escaped.size());
  for (std::size_t at = 0; at < escaped.size();) {
    const std::size_t next = std::min(escaped.find('\\', at), escaped.size());
    text += escaped.substr(at, next - at);
    if (next == escaped.size()) break;
    if (next + 1 == escaped.size()) return std::nullopt;
    at = next + 2;
    if (escaped[next + 1] == 'u') {
      const std::size_t used = append_unicode(escaped.substr(at), text);
      if (used == 0) return std::nullopt;
      at += used;
      continue;
    }
    const char plain = simple_escape(escaped[next + 1]);
    if (plain == '\0') return std::nullopt;
    text += plain;
  }
  return text;
}

TextPlace place_in(std::string_view text, std::size_t position) {
  const std::string_view before = text.substr(0, std::min(position, text.size()));
  const std::size_t line_start = before.rfind('\n');
  return {1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')),
          line_start == std::string_view::npos ? before.size() + 1 : before.size() - line_start};
}

/// One pass over a document.
class JsonTreeParser {
 public:
  explicit JsonTreeParser(std::string_view text) : cursor_(text) {}

  bool parse(JsonTree& to, std::size_t depth = 0) {
    switch (cursor_.peek()) {
      case '{':
        return depth < kMaxDepth && parse_container(to, depth, '}');
      case '[':
        return depth < kMaxDepth && parse_container(to, depth, ']');
      case '"':
        return parse_text(to);
      default:
        return parse_word(to);
    }
  }
  JsonCursor& cursor() { return cursor_; }

 private:
  static constexpr std::size_t kMaxDepth = 200;

  bool parse_container(JsonTree& to, std::size_t depth, char closer) {
    to = closer == '}' ? JsonTree::object() : JsonTree::array();
    cursor_.take(closer == '}' ? '{' : '[');
    if (cursor_.take(closer)) return true;
    do {
      if (closer == '}') {
        const std::optional<std::string_view> key = cursor_.take_string();
        if (!key || !cursor_.take(':')) return false;
        to.keys_.push_back(json_unescaped(*key).value_or(std::string(*key)));
      }
      to.items_.emplace_back();
      if (!parse(to.items_.back(), depth + 1)) return false;
    } while (cursor_.take(','));
    return cursor_.take(closer);
  }

  bool parse_text(JsonTree& to) {
    const std::optional<std::string_view> raw = cursor_.take_string();
    if (!raw) return false;
    std::optional<std::string> plain = json_unescaped(*raw);
    if (!plain) return false;
    to = JsonTree::text(std::move(*plain));
    return true;
  }

  bool parse_word(JsonTree& to) {
    const std::optional<std::string_view> word = cursor_.take_value();
    if (!word) return false;
    to.kind_ = *word == "null"    ? JsonTree::Kind::kNull
               : *word == "true"  ? JsonTree::Kind::kTrue
               : *word == "false" ? JsonTree::Kind::kFalse
                                  : JsonTree::Kind::kNumber;
    if (to.kind_ == JsonTree::Kind::kNumber) to.content_ = std::string(*word);
    return true;
  }

  JsonCursor cursor_;
};

JsonTree JsonTree::text(std::string content) {
  JsonTree tree(Kind::kText);
  tree.content_ = std::move(content);
  return tree;
}

JsonTree JsonTree::integer(std::int64_t number) {
  JsonTree tree(Kind::kNumber);
  tree.content_ = std::to_string(number);
  return tree;
}

std::optional<std::int64_t> JsonTree::whole_number() const {
  if (kind_ == Kind::kTrue) return 1;
  if (kind_ == Kind::kFalse) return 0;
  if (kind_ != Kind::kNumber && kind_ != Kind::kText) return std::nullopt;
  std::int64_t value = 0;
  const char* const end = content_.data() + content_.size();
  const auto [behind, error] = std::from_chars(content_.data(), end, value);
  if (error != std::errc() || behind != end) return std::nullopt;
  return value;
}

std::optional<double> JsonTree::number() const {
  if (kind_ != Kind::kNumber) return std::nullopt;
  double value = 0;
  const char* const end = content_.data() + content_.size();
  const auto [behind, error] = std::from_chars(content_.data(), end, value);
  if (error != std::errc() || behind != end) return std::nullopt;
  return value;
}

const JsonTree* JsonTree::find(std::string_view key) const {
  // The last one counts where a key stands twice, as for Python.
  const auto found = std::find(keys_.rbegin(), keys_.rend(), key);
  return found == keys_.rend() ? nullptr : &items_[static_cast<std::size_t>(keys_.rend() - found) - 1];
}

JsonTree* JsonTree::find(std::string_view key) {
  return const_cast<JsonTree*>(std::as_const(*this).find(key));
}

void JsonTree::set(std::string_view key, JsonTree value) {
  if (JsonTree* known = find(key)) {
    *known = std::move(value);
    return;
  }
  keys_.emplace_back(key);
  items_.push_back(std::move(value));
}

namespace {

void append_quoted(std::string_view text, std::string& out) {
  const std::size_t begin = out.size() + 1;
  out.resize(begin + json_escaped_limit(text.size()));
  out[begin - 1] = '"';
  const char* const end = put_json_escaped(out.data() + begin, text, JsonEscapes::kAscii);
  out.resize(static_cast<std::size_t>(end - out.data()));
  out += '"';
}

}  // namespace

void JsonTree::dump_to(std::string& out) const {
  switch (kind_) {
    case Kind::kNull:
      out += "null";
      return;
    case Kind::kTrue:
      out += "true";
      return;
    case Kind::kFalse:
      out += "false";
      return;
    case Kind::kNumber:
      out += content_;
      return;
    case Kind::kText:
      append_quoted(content_, out);
      return;
    case Kind::kArray:
    case Kind::kObject:
      break;
  }
  out += kind_ == Kind::kObject ? '{' : '[';
  for (std::size_t i = 0; i < items_.size(); ++i) {
    if (i > 0) out += ", ";
    if (kind_ == Kind::kObject) {
      append_quoted(keys_[i], out);
      out += ": ";
    }
    items_[i].dump_to(out);
  }
  out += kind_ == Kind::kObject ? '}' : ']';
}

std::string JsonTree::dump() const {
  std::string out;
  dump_to(out);
  return out;
}

std::string JsonTree::shown() const {
  switch (kind_) {
    case Kind::kNull:
      return "None";
    case Kind::kTrue:
      return "True";
    case Kind::kFalse:
      return "False";
    case Kind::kNumber:
    case Kind::kText:
      return content_;
    default:
      return dump();
  }
}

Result<JsonTree> parse_json_tree(std::string_view text, const std::string& name) {
  JsonTreeParser parser(text);
  JsonTree tree;
  if (parser.parse(tree) && parser.cursor().is_at_end()) return tree;
  const std::size_t position = parser.cursor().position();
  return failure(bad_input(terminal_safe(name) + ":" + std::to_string(place_in(text, position).line) +
                           ": damaged JSON (byte " + std::to_string(position) + " of " +
                           std::to_string(text.size()) + ")"));
}

}  // namespace ttscope
