#pragma once

#include <string_view>

namespace ttscope {

/// Whether a text begins as a JSON object or a list does; a log line `[2026-01-01 ...]` does not.
bool looks_like_json(std::string_view text);

/// Whether the text holds `"key":` somewhere, with or without blanks before the colon.
bool has_json_key(std::string_view text, std::string_view key);
/// The same for a key whose value is a list.
bool has_json_list(std::string_view text, std::string_view key);

}  // namespace ttscope
