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

}  // namespace ttscope::sim
