#include "base/json_tree.h"

#include <algorithm>
#include <charconv>

#include "base/json_cursor.h"
#include "base/json_escape.h"
#include "base/text_escape.h"

namespace ttscope {

/// One pass over a document.
class JsonTreeParser {
 public:
  explicit JsonTreeParser(std::string_view text) : cursor_(text) {}

  bool parse(JsonTree& to, std::size_t depth = 0) {
    switch (cursor_.peek()) {
      case '{':
        return depth < kDeepest && parse_container(to, depth, '}');
      case '[':
        return depth < kDeepest && parse_container(to, depth, ']');
      case '"':
        return parse_text(to);
      default:
        return parse_word(to);
    }
  }
  JsonCursor& cursor() { return cursor_; }

 private:
  static constexpr std::size_t kDeepest = 200;

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
