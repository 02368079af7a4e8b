#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ttscope::gen_log {

std::string json_string(std::string_view text);

/// Puts a JSON object together, on one line: `JsonObject().number("line", 7).string("op", name).text()`.
class JsonObject {
 public:
  JsonObject& number(std::string_view key, std::int64_t value) { return raw(key, std::to_string(value)); }
  /// Null when the value is negative or, for line numbers, unknown.
  JsonObject& number_or_null(std::string_view key, std::int64_t value, bool known) {
    return raw(key, known ? std::to_string(value) : "null");
  }
  JsonObject& string(std::string_view key, std::string_view value) { return raw(key, json_string(value)); }
  JsonObject& boolean(std::string_view key, bool value) { return raw(key, value ? "true" : "false"); }
  /// A value that is JSON already.
  JsonObject& raw(std::string_view key, std::string_view value) {
    members_ += members_.empty() ? "" : ", ";
    members_ += json_string(key);
    members_ += ": ";
    members_ += value;
    return *this;
  }
  std::string text() const { return "{" + members_ + "}"; }

 private:
  std::string members_;
};

inline std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  out += '"';
  return out;
}

/// `[a, b]` of whatever `to_json` makes of each item.
template <typename Items, typename ToJson>
std::string json_array(const Items& items, ToJson to_json) {
  std::string out = "[";
  bool first = true;
  for (const auto& item : items) {
    if (!first) out += ", ";
    first = false;
    out += to_json(item);
  }
  out += ']';
  return out;
}

}  // namespace ttscope::gen_log
