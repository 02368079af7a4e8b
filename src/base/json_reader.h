#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace ttscope {

/// Whether a text begins as a JSON object or a list does; a log line `[2026-01-01 ...]` does not.
bool looks_like_json(std::string_view text);

/// Whether the text holds `"key":` somewhere, with or without blanks before the colon.
bool has_json_key(std::string_view text, std::string_view key);
/// The same for a key whose value is a list.
bool has_json_list(std::string_view text, std::string_view key);

/// Walks through JSON text value by value without building anything: for the outer part of documents whose
/// bulk is read otherwise, and for the exact place of an error. Checks the whole grammar of what it passes.
/// After a failure position() is where it was found and expected() what would be right there.
class JsonCursor {
 public:
  explicit JsonCursor(std::string_view text, std::size_t position = 0) : text_(text), at_(position) {}

  std::size_t position() const { return at_; }
  void move_to(std::size_t position) { at_ = position; }
  std::string_view expected() const { return expected_; }

  /// The next character that is not white space, 0 at the end.
  char peek();
  /// Passes this character if it is the next one.
  bool take(char wanted);
  /// The inside of the string that is next, still escaped.
  std::optional<std::string_view> take_string();
  /// Passes a whole value and gives its text.
  std::optional<std::string_view> take_value();
  /// Whether nothing but white space is left.
  bool is_at_end() { return peek() == '\0' && at_ == text_.size(); }

 private:
  bool fail(std::string_view expected) {
    expected_ = expected;
    return false;
  }
  bool pass_key();
  bool pass_scalar();
  bool pass_number();
  bool open_or_pass();
  bool close_or_next();

  std::string_view text_;
  std::size_t at_;
  std::string_view expected_;
  std::vector<char> closers_;  ///< of the containers around the place
};

/// The text that the inside of a JSON string stands for; nothing if an escape is wrong. A half of a surrogate
/// pair becomes U+FFFD.
std::optional<std::string> json_unescaped(std::string_view escaped);

/// Line (from 1) and byte in that line (from 1) of a position, for messages.
struct TextPlace {
  std::size_t line = 1;
  std::size_t column = 1;
};

TextPlace place_in(std::string_view text, std::size_t position);

/// A JSON document in memory, for small documents that are changed and written again. Members keep their
/// order, and numbers their text.
class JsonTree {
 public:
  enum class Kind : std::uint8_t { kNull, kTrue, kFalse, kNumber, kText, kArray, kObject };

  JsonTree() = default;
  static JsonTree text(std::string content);
  static JsonTree integer(std::int64_t number);
  static JsonTree array() { return JsonTree(Kind::kArray); }
  static JsonTree object() { return JsonTree(Kind::kObject); }

  Kind kind() const { return kind_; }
  bool is(Kind kind) const { return kind_ == kind; }
  /// The text of a string or number; empty otherwise.
  const std::string& content() const { return content_; }
  /// A whole number, also from a string of digits, as old captures have them; true is 1.
  std::optional<std::int64_t> whole_number() const;
  std::optional<double> number() const;

  const std::vector<JsonTree>& items() const { return items_; }
  std::vector<JsonTree>& items() { return items_; }
  const std::vector<std::string>& keys() const { return keys_; }  ///< of items(), for objects
  /// The member of an object; nullptr if there is none.
  const JsonTree* find(std::string_view key) const;
  JsonTree* find(std::string_view key);
  /// Replaces a member in its place, or adds it at the end.
  void set(std::string_view key, JsonTree value);

  /// As Python's json.dumps writes it: `, ` and `: ` between, non-ASCII escaped.
  std::string dump() const;
  void dump_to(std::string& out) const;
  /// As Python's str() shows it: texts without quotes.
  std::string shown() const;

 private:
  friend class JsonTreeParser;
  explicit JsonTree(Kind kind) : kind_(kind) {}

  Kind kind_ = Kind::kNull;
  std::string content_;
  std::vector<JsonTree> items_;
  std::vector<std::string> keys_;
};

/// Parses a whole document; `name` is what errors call it.
Result<JsonTree> parse_json_tree(std::string_view text, const std::string& name);

}  // namespace ttscope
