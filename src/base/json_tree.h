#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace ttscope {

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
