#include "sim/config/config_section.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <yaml.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/result.h"
#include "base/text.h"

namespace ttscope::sim {
namespace {

constexpr std::size_t kMaxDepth = 32;
constexpr std::size_t kMaxNodes = 100000;

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
      RETURN_IF_ERROR(next());
      if (event_.type == YAML_STREAM_END_EVENT) return failure(wrong("nothing is in it"));
      if (event_.type == YAML_DOCUMENT_START_EVENT) break;
    }
    RETURN_IF_ERROR(next());
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
    if (depth > kMaxDepth) return failure(wrong("nested too deeply"));
    if (++nodes_ > kMaxNodes) return failure(wrong("too much for a configuration"));
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
      RETURN_IF_ERROR(next());
      if (event_.type == YAML_SEQUENCE_END_EVENT) return made;
      Result<YamlNode> item = node(depth + 1);
      if (!item) return item;
      made.items.push_back(std::move(*item));
    }
  }

  Result<YamlNode> map(YamlNode made, std::size_t depth) {
    for (;;) {
      RETURN_IF_ERROR(next());
      if (event_.type == YAML_MAPPING_END_EVENT) return made;
      Result<YamlNode> key = node(depth + 1);
      if (!key) return key;
      if (key->kind != YamlNode::Kind::kScalar) return failure(wrong("a key must be a word"));
      if (made.find(key->scalar) != nullptr) {
        return failure(wrong(fmt::format("`{}` comes a second time", terminal_safe(key->scalar))));
      }
      RETURN_IF_ERROR(next());
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

namespace {

constexpr std::uint32_t kMaxNumber = 1U << 24;

std::string meant(std::string_view given, const std::vector<std::string_view>& candidates) {
  const std::string_view near = nearest_name(given, candidates);
  return near.empty() ? std::string() : fmt::format("; did you mean `{}`?", near);
}

/// `1_000`, `64` and `64.0` are numbers; `64.5`, `1e3x` and `"64"` are not.
bool read_number(std::string text, double& value) {
  text.erase(std::remove(text.begin(), text.end(), '_'), text.end());
  if (!text.empty() && text[0] == '+') text.erase(0, 1);
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  return read.ec == std::errc() && read.ptr == text.data() + text.size() && std::isfinite(value);
}

}  // namespace

ConfigSection::ConfigSection(const YamlNode* node, std::string_view name, std::string_view path)
    : node_(node), name_(name), path_(path) {
  if (node_ == nullptr || node_->kind == YamlNode::Kind::kMap) return;
  const std::uint32_t line = node_->line;
  // `eval_config:` with nothing below is an empty section.
  if (!(node_->kind == YamlNode::Kind::kScalar && node_->scalar.empty()))
    fail(line, fmt::format("`{}` must hold keys and values", name_));
  node_ = nullptr;
}

bool ConfigSection::has(std::string_view key) const {
  return node_ != nullptr && node_->find(key) != nullptr;
}

const YamlNode* ConfigSection::node(std::string_view key) {
  known_.push_back(key);
  return node_ == nullptr ? nullptr : node_->find(key);
}

std::uint32_t ConfigSection::line_of(std::string_view key) const {
  const YamlNode* found = node_ == nullptr ? nullptr : node_->find(key);
  return found == nullptr ? 1 : found->line;
}

void ConfigSection::fail(std::uint32_t line, std::string_view what) {
  if (error_.empty()) error_ = fmt::format("{}:{}: {}", terminal_safe(path_), line, what);
}

const YamlNode* ConfigSection::scalar(std::string_view key) {
  const YamlNode* found = node(key);
  if (found == nullptr) return nullptr;
  if (found->kind != YamlNode::Kind::kScalar) {
    fail(found->line, fmt::format("`{}` wants one value", key));
    return nullptr;
  }
  const bool none =
      !found->quoted && (found->scalar.empty() || found->scalar == "null" || found->scalar == "~");
  return none ? nullptr : found;
}

void ConfigSection::number(std::string_view key, std::uint32_t& value, std::uint32_t least) {
  const YamlNode* found = scalar(key);
  if (found == nullptr) return;
  double read = 0;
  const bool whole = !found->quoted && read_number(found->scalar, read) && std::floor(read) == read;
  if (!whole || read < least || read > kMaxNumber) {
    return fail(found->line, fmt::format("`{}` must be a whole number from {} to {}, found `{}`", key, least,
                                         kMaxNumber, terminal_safe(found->scalar)));
  }
  value = static_cast<std::uint32_t>(read);
}

void ConfigSection::real(std::string_view key, float& value, float least, float below) {
  const YamlNode* found = scalar(key);
  if (found == nullptr) return;
  double read = 0;
  if (found->quoted || !read_number(found->scalar, read) || read < least || read >= below) {
    return fail(found->line, fmt::format("`{}` must be a number from {} to below {}, found `{}`", key, least,
                                         below, terminal_safe(found->scalar)));
  }
  value = static_cast<float>(read);
}

void ConfigSection::flag(std::string_view key, bool& value) {
  const YamlNode* found = scalar(key);
  if (found == nullptr) return;
  std::string word = found->scalar;
  std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::tolower(c); });
  const bool yes = word == "true" || word == "yes" || word == "on";
  const bool no = word == "false" || word == "no" || word == "off";
  if (!yes && !no) {
    return fail(found->line,
                fmt::format("`{}` must be true or false, found `{}`", key, terminal_safe(found->scalar)));
  }
  value = yes;
}

std::size_t ConfigSection::choice(std::string_view key, const std::vector<std::string_view>& words,
                                  std::size_t value) {
  const YamlNode* found = scalar(key);
  if (found == nullptr) return value;
  const auto at = std::find(words.begin(), words.end(), found->scalar);
  if (at != words.end()) return static_cast<std::size_t>(at - words.begin());
  fail(found->line, fmt::format("`{}` is none of {}: `{}`{}", terminal_safe(found->scalar),
                                fmt::join(words, ", "), key, meant(found->scalar, words)));
  return value;
}

std::string ConfigSection::text(std::string_view key, const std::string& value) {
  const YamlNode* found = scalar(key);
  return found == nullptr ? value : found->scalar;
}

std::vector<std::uint32_t> ConfigSection::numbers(std::string_view key, std::size_t count) {
  const YamlNode* found = node(key);
  std::vector<std::uint32_t> values;
  if (found == nullptr) return values;
  for (const YamlNode& item : found->items) {
    double read = 0;
    const bool whole = item.kind == YamlNode::Kind::kScalar && read_number(item.scalar, read) &&
                       std::floor(read) == read && read >= 1 && read <= kMaxNumber;
    if (whole) values.push_back(static_cast<std::uint32_t>(read));
  }
  if (found->kind != YamlNode::Kind::kList || values.size() != found->items.size() ||
      values.size() != count) {
    fail(found->line, fmt::format("`{}` wants {} whole numbers above 0, as [1, 8]", key, count));
    return {};
  }
  return values;
}

void ConfigSection::ignore(const std::vector<std::string_view>& keys) {
  known_.insert(known_.end(), keys.begin(), keys.end());
}

void ConfigSection::refuse(std::string_view key, std::string_view why) {
  if (const YamlNode* found = node(key)) fail(found->line, fmt::format("`{}`: {}", key, why));
}

Result<void> ConfigSection::check_all_known() {
  if (!error_.empty()) return failure(bad_input(error_));
  if (node_ == nullptr) return {};
  for (const auto& [key, value] : node_->members) {
    if (std::find(known_.begin(), known_.end(), key.scalar) != known_.end()) continue;
    return failure(bad_input(fmt::format("{}:{}: `{}` is not known{}{}", terminal_safe(path_), key.line,
                                         terminal_safe(key.scalar), name_.empty() ? "" : " in " + name_,
                                         meant(key.scalar, known_))));
  }
  return {};
}

}  // namespace ttscope::sim
