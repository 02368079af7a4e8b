#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sim/config/yaml_tree.h"

namespace ttscope::sim {

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
