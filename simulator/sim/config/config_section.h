#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace ttscope::sim {

struct YamlMember;

/// A YAML document as it stands in its file: scalars are texts, every node knows its line.
struct YamlNode {
  enum class Kind : std::uint8_t { kScalar, kList, kMap };
  Kind kind = Kind::kScalar;
  std::uint32_t line = 0;
  std::string scalar;
  bool quoted = false;  ///< the scalar: a text even if it looks like a number
  std::vector<YamlNode> items;
  std::vector<YamlMember> members;  ///< keys and values, in order

  /// Null if there is none. Of keys that come twice the first; read_yaml refuses those.
  const YamlNode* find(std::string_view key) const;
};

/// A key and its value; no pair, which would have to know the size of what it is part of.
struct YamlMember {
  YamlNode first;
  YamlNode second;
};

/// The first document of a text. Errors name `path` and the line. Aliases are refused: configurations have
/// none, and a few lines of them can stand for any amount of data.
Result<YamlNode> read_yaml(std::string_view text, std::string_view path);

/// One section of a configuration: its values by key, with errors that name file and line. Keys are asked for
/// one by one; check_all_known() then refuses those that nobody asked for. The first error sticks.
class ConfigSection {
 public:
  /// `node` may be null: the section is not there, and every value keeps its default.
  ConfigSection(const YamlNode* node, std::string_view name, std::string_view path);

  bool exists() const { return node_ != nullptr; }
  const std::string& path() const { return path_; }
  bool has(std::string_view key) const;
  const YamlNode* node(std::string_view key);
  std::uint32_t line_of(std::string_view key) const;
  std::uint32_t line() const { return node_ == nullptr ? 1 : node_->line; }

  /// A number from `least` on; `value` stays if the key is not there.
  void number(std::string_view key, std::uint32_t& value, std::uint32_t least = 1);
  void real(std::string_view key, float& value, float least, float below);
  void flag(std::string_view key, bool& value);
  /// One of the words; its index. Nothing asked for a word that is not there.
  std::size_t choice(std::string_view key, const std::vector<std::string_view>& words, std::size_t value);
  std::string text(std::string_view key, const std::string& value = {});
  /// Numbers above 0, as many as `count`.
  std::vector<std::uint32_t> numbers(std::string_view key, std::size_t count);
  /// Keys that are known and have no influence on memory.
  void ignore(const std::vector<std::string_view>& keys);

  /// A key that is known, but nothing here can follow it.
  void refuse(std::string_view key, std::string_view why);

  void fail(std::uint32_t line, std::string_view what);
  Result<void> check_all_known();

 private:
  const YamlNode* scalar(std::string_view key);

  const YamlNode* node_;
  std::string name_;
  std::string path_;
  std::vector<std::string_view> known_;
  std::string error_;
};

}  // namespace ttscope::sim
