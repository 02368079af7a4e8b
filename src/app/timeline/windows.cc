#include "app/timeline/windows.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <sstream>
#include <utility>

#include "app/report_library.h"
#include "base/number_text.h"
#include "base/result.h"
#include "base/writer.h"
#include "serve/request_checks.h"
#include "timeline/write/outputs.h"

namespace ttscope::app {
namespace {

/// Wider than any screen: more would only cost.
constexpr std::int64_t kMaxPixels = 32768;
constexpr std::size_t kMaxArrows = 64;

/// A whole number of the query.
Result<std::int64_t> whole(std::string_view query, std::string_view key) {
  const std::optional<std::string> text = serve::query_value(query, key);
  if (!text) return failure(bad_input(fmt::format("{}=NUMBER is missing", key)));
  const bool is_negative = text->starts_with('-');
  const std::optional<std::uint64_t> number =
      parse_unsigned(std::string_view(*text).substr(is_negative ? 1 : 0));
  constexpr std::uint64_t kMax = std::numeric_limits<std::int64_t>::max() / 4;
  if (!number || *number > kMax) return failure(bad_input(fmt::format("{} is not a whole number", key)));
  return is_negative ? -static_cast<std::int64_t>(*number) : static_cast<std::int64_t>(*number);
}

/// `7` or `9-10`: from and to.
std::optional<std::pair<std::uint64_t, std::uint64_t>> stretch(const std::string& part) {
  const std::size_t dash = part.find('-');
  const std::optional<std::uint64_t> first = parse_unsigned(part.substr(0, dash));
  const std::optional<std::uint64_t> last =
      dash == std::string::npos ? first : parse_unsigned(part.substr(dash + 1));
  if (!first || !last || *first > *last) return std::nullopt;
  return std::pair(*first, *last);
}

/// `0-4.7.9-10`: ascending numbers below `end`.
Result<std::vector<std::uint32_t>> stretches(const std::string& text, std::size_t end) {
  std::vector<std::uint32_t> numbers;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, '.');) {
    const auto found = stretch(part);
    if (!found || found->second >= end || (!numbers.empty() && found->first <= numbers.back())) {
      return failure(bad_input("tracks are ascending numbers and stretches of them, as 0-4.7.9-10"));
    }
    for (std::uint64_t number = found->first; number <= found->second; ++number) {
      numbers.push_back(static_cast<std::uint32_t>(number));
    }
  }
  return numbers;
}

}  // namespace

TimelineWindows::TimelineWindows(timeline::Profile profile)
    : profile_(std::move(profile)), index_(profile_.timeline) {}

Result<timeline::WindowRequest> TimelineWindows::read_request(std::string_view query) const {
  const Result<std::int64_t> from = whole(query, "from");
  if (!from) return failure(from.error());
  const Result<std::int64_t> to = whole(query, "to");
  if (!to) return failure(to.error());
  if (*to < *from) return failure(bad_input("to is before from"));
  ASSIGN_OR_RETURN(
      std::vector<std::uint32_t> tracks,
      stretches(serve::query_value(query, "tracks").value_or(""), profile_.timeline.tracks.size()));
  timeline::WindowRequest request;
  request.from_ns = profile_.timeline.first_ns + *from;
  request.to_ns = profile_.timeline.first_ns + *to;
  request.tracks = std::move(tracks);
  return request;
}

TimelineWindows::Hits TimelineWindows::hits_of(const std::string& wanted) const {
  {
    const std::lock_guard lock(mutex_);
    if (last_hits_ && last_wanted_ == wanted) return last_hits_;
  }
  auto hits = std::make_shared<const std::vector<std::uint32_t>>(timeline::find_zones(index_, wanted));
  const std::lock_guard lock(mutex_);
  last_wanted_ = wanted;
  last_hits_ = hits;
  return hits;
}

Result<std::string> TimelineWindows::window(std::string_view query) const {
  ASSIGN_OR_RETURN(timeline::WindowRequest request, read_request(query));
  const Result<std::int64_t> pixels = whole(query, "pixels");
  if (!pixels) return failure(pixels.error());
  if (*pixels < 1 || *pixels > kMaxPixels) {
    return failure(bad_input(fmt::format("pixels is a number from 1 to {}", kMaxPixels)));
  }
  request.pixel_ns = std::max<std::int64_t>(1, (request.to_ns - request.from_ns) / *pixels);
  const Hits hits = hits_of(serve::query_value(query, "find").value_or(""));
  request.hits = *hits;
  if (serve::query_value(query, "keep")) {
    const Result<std::int64_t> keep = whole(query, "keep");
    if (!keep) return failure(keep.error());
    if (*keep < 0 || static_cast<std::uint64_t>(*keep) >= index_.rows.zones.size()) {
      return failure(bad_input("keep is no zone of this timeline"));
    }
    request.kept = timeline::with_linked(index_, static_cast<std::uint32_t>(*keep), kMaxArrows);
  }
  return timeline::timeline_window_json(index_, request, timeline::window_of(index_, request));
}

Result<std::string> TimelineWindows::hit(std::string_view query) const {
  const Hits hits = hits_of(serve::query_value(query, "find").value_or(""));
  std::uint32_t place = kNone;
  if (serve::query_value(query, "behind") || serve::query_value(query, "before")) {
    const bool forward = serve::query_value(query, "behind").has_value();
    ASSIGN_OR_RETURN(const std::int64_t given, whole(query, forward ? "behind" : "before"));
    // -1: from the end that lies behind the first
    const bool is_zone = given >= 0 && static_cast<std::uint64_t>(given) < index_.rows.zones.size();
    place = timeline::next_hit(index_, *hits, is_zone ? static_cast<std::uint32_t>(given) : kNone, forward);
  }
  return timeline::hit_json(index_, *hits, place);
}

Result<std::string> TimelineWindows::answer(std::string_view what, std::string_view query) const {
  if (what == "window") return window(query);
  if (what == "hit") return hit(query);
  if (what != "sums") return failure(nothing_found("nothing here"));
  ASSIGN_OR_RETURN(const timeline::WindowRequest request, read_request(query));
  return timeline::sums_json(index_, timeline::sums_between(index_, request));
}

Result<serve::ServedTimeline> served_timeline(timeline::Profile profile, std::string_view tool_version) {
  const auto windows = std::make_shared<const TimelineWindows>(std::move(profile));
  timeline::TimelinePageOptions options;
  options.name = report_name(windows->profile().name);
  options.tool_version = tool_version;
  options.windows = true;
  StringWriter page;
  if (Result<void> written = timeline::write_timeline_page(windows->profile(), options, page); !written) {
    return failure(written.error());
  }
  RETURN_IF_ERROR(page.finish());
  serve::ServedTimeline served;
  served.page = std::make_shared<const std::string>(page.text());
  served.policy = fmt::format(
      "default-src 'none'; script-src '{}'; style-src 'unsafe-inline'; img-src data:; connect-src 'self'; "
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      serve::script_hash_of(*served.page));
  served.answer = [windows](std::string_view what, std::string_view query) {
    return windows->answer(what, query);
  };
  return served;
}

}  // namespace ttscope::app
