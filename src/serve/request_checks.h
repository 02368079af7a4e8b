#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "serve/library.h"

namespace ttscope::serve {

/// A target taken apart; the parts are decoded.
struct Target {
  std::vector<std::string> segments;  ///< of the path; the last one is empty behind a closing slash
  std::string query;                  ///< not decoded
};

/// Nothing when it is no plain path: a part that is `.` or `..`, or that holds an encoded slash, a backslash,
/// a control character or a broken escape.
std::optional<Target> parse_target(std::string_view target);

/// A value of the query, decoded; nothing when it is absent or broken.
std::optional<std::string> query_value(std::string_view query, std::string_view key);

/// Percent-encodes everything but letters, digits and `-._~`.
std::string url_encoded(std::string_view text);

/// Whether `Host` names this machine as the user meant it. A page of another site that makes its own name
/// point here (DNS rebinding) sends that name.
bool is_host_allowed(std::string_view host, const ServeSettings& settings);

/// Whether the page that sent an upload is one of ours: programs send no Origin, browsers do.
bool is_origin_allowed(const Request& request);

/// Takes the same time whatever differs.
bool is_token(std::string_view given, std::string_view token);

/// 128 random bits as text.
Result<std::string> new_token();

/// The `sha256-...` that a page's own policy allows as its script; empty when it names none.
std::string script_hash_of(std::string_view page_start);

}  // namespace ttscope::serve
