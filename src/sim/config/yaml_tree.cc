#include "sim/config/yaml_tree.h"

#include <fmt/format.h>
#include <yaml.h>

#include <algorithm>

#include "base/text_escape.h"

namespace ttscope::sim {
namespace {

constexpr std::size_t kMostDepth = 32;
constexpr std::size_t kMostNodes = 100000;

class YamlReader {
 public:
  YamlReader(std::string_view text, std::string_view path) : path_(path) {
    yaml_parser_initialize(&parser_);
    // Of an empty file the text is null, at which the library would end the process.
    const char* const begin = text.empty() ? "" : text.data();
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(begin), text.size());
  }
  ~YamlReader() {
    yaml_event_delete(&event_);
    yaml_parser_delete(&parser_);
  }
  YamlReader(const YamlReader&) = delete;
  YamlReader& operator=(const YamlReader&) = delete;

  Result<YamlNode> read() {
    for (;;) {
      if (auto read = next(); !read) return failure(read.error());
      if (event_.type == YAML_STREAM_END_EVENT) return failure(wrong("nothing is in it"));
      if (event_.type == YAML_DOCUMENT_START_EVENT) break;
    }
    if (auto read = next(); !read) return failure(read.error());
    return node(0);
  }

 private:
  Result<void> next() {
    yaml_event_delete(&event_);
    event_ = {};
    if (yaml_parser_parse(&parser_, &event_) == 0) {
      line_ = static_cast<std::uint32_t>(parser_.problem_mark.line + 1);
      return failure(wrong(fmt::format("no YAML: {}", parser_.problem ? parser_.problem : "not readable")));
    }
    line_ = static_cast<std::uint32_t>(event_.start_mark.line + 1);
    return {};
  }

  Error wrong(std::string_view what) const {
    return bad_input(fmt::format("{}:{}: {}", terminal_safe(path_), std::max(line_, 1U), what));
  }

  /// The node that the current event begins; the current event afterwards is its last.
  Result<YamlNode> node(std::size_t depth) {
    if (depth > kMostDepth) return failure(wrong("nested too deeply"));
    if (++nodes_ > kMostNodes) return failure(wrong("too much for a configuration"));
    YamlNode made;
    made.line = line_;
    switch (event_.type) {
      case YAML_SCALAR_EVENT:
        made.scalar.assign(reinterpret_cast<const char*>(event_.data.scalar.value),
                           event_.data.scalar.length);
        made.quoted = event_.data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
        return made;
      case YAML_SEQUENCE_START_EVENT:
        made.kind = YamlNode::Kind::kList;
        return list(std::move(made), depth);
      case YAML_MAPPING_START_EVENT:
        made.kind = YamlNode::Kind::kMap;
        return map(std::move(made), depth);
      case YAML_ALIAS_EVENT:
        return failure(wrong("aliases (*name) are not read in configurations"));
      default:
        return failure(wrong("a value is missing"));
    }
  }

  Result<YamlNode> list(YamlNode made, std::size_t depth) {
    for (;;) {
      if (auto read = next(); !read) return failure(read.error());
      if (event_.type == YAML_SEQUENCE_END_EVENT) return made;
      Result<YamlNode> item = node(depth + 1);
      if (!item) return item;
      made.items.push_back(std::move(*item));
    }
  }

  Result<YamlNode> map(YamlNode made, std::size_t depth) {
    for (;;) {
      if (auto read = next(); !read) return failure(read.error());
      if (event_.type == YAML_MAPPING_END_EVENT) return made;
      Result<YamlNode> key = node(depth + 1);
      if (!key) return key;
      if (key->kind != YamlNode::Kind::kScalar) return failure(wrong("a key must be a word"));
      if (made.find(key->scalar) != nullptr) {
        return failure(wrong(fmt::format("`{}` comes a second time", terminal_safe(key->scalar))));
      }
      if (auto read = next(); !read) return failure(read.error());
      Result<YamlNode> value = node(depth + 1);
      if (!value) return value;
      made.members.push_back({std::move(*key), std::move(*value)});
    }
  }

  std::string path_;
  yaml_parser_t parser_{};
  yaml_event_t event_{};
  std::uint32_t line_ = 0;
  std::size_t nodes_ = 0;
};

}  // namespace

const YamlNode* YamlNode::find(std::string_view key) const {
  for (const auto& [name, value] : members) {
    if (name.scalar == key) return &value;
  }
  return nullptr;
}

Result<YamlNode> read_yaml(std::string_view text, std::string_view path) {
  return YamlReader(text, path).read();
}

}  // namespace ttscope::sim
