#include "sim/config/config_section.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/edit_distance.h"
#include "base/text_escape.h"

namespace ttscope::sim {
namespace {

constexpr std::uint32_t kMostNumber = 1U << 24;

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
  if (!whole || read < least || read > kMostNumber) {
    return fail(found->line, fmt::format("`{}` must be a whole number from {} to {}, found `{}`", key, least,
                                         kMostNumber, terminal_safe(found->scalar)));
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
                       std::floor(read) == read && read >= 1 && read <= kMostNumber;
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
