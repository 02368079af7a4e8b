#include "mem/read/line_times.h"

#include <algorithm>

#include "base/number_text.h"
#include "mem/model/log_lines.h"

namespace ttscope::mem {
namespace {

constexpr std::int64_t kSecondNs = 1'000'000'000;
constexpr std::int64_t kDayNs = 86400 * kSecondNs;
/// Digits may be anything; nanoseconds of 64 bits end with the year 2262. Within these years times and their
/// differences have room.
constexpr std::int64_t kFirstYear = 1970;
constexpr std::int64_t kLastYear = 2199;
constexpr std::int64_t kMaxSeconds = 7'258'118'400;  ///< since 1970, when the last year ends
constexpr std::int64_t kMaxTurnsNs = 10'000 * kDayNs;

bool is_decimal(char c) { return c >= '0' && c <= '9'; }

std::int64_t number_at(std::string_view text, std::size_t at, std::size_t digits) {
  return static_cast<std::int64_t>(parse_unsigned(text.substr(at, digits)).value_or(0));
}

/// Days since 1970 of a date of the Gregorian calendar.
std::int64_t days_of(std::int64_t year, std::int64_t month, std::int64_t day) {
  year -= month <= 2 ? 1 : 0;
  const std::int64_t era = year / 400;
  const std::int64_t of_era = year - era * 400;
  const std::int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

/// Takes `.123456` or `,123`.
void take_fraction(std::string_view& text, LineStamp& stamp) {
  stamp.resolution_ns = kSecondNs;
  if (text.size() < 2 || (text[0] != '.' && text[0] != ',') || !is_decimal(text[1])) return;
  text.remove_prefix(1);
  for (; !text.empty() && is_decimal(text[0]); text.remove_prefix(1)) {
    if (stamp.resolution_ns == 1) continue;
    stamp.resolution_ns /= 10;
    stamp.ns += (text[0] - '0') * stamp.resolution_ns;
  }
}

/// Takes `Z`, `+01:00` or `-0700`.
void take_zone(std::string_view& text, LineStamp& stamp) {
  if (text.starts_with('Z')) {
    stamp.has_zone = true;
    text.remove_prefix(1);
    return;
  }
  if (text.empty() || (text[0] != '+' && text[0] != '-')) return;
  const bool colon = has_shape(text.substr(1), "00:00");
  if (!colon && !has_shape(text.substr(1), "0000")) return;
  const std::int64_t minutes = number_at(text, 1, 2) * 60 + number_at(text, colon ? 4 : 3, 2);
  stamp.ns -= (text[0] == '+' ? minutes : -minutes) * 60 * kSecondNs;
  stamp.has_zone = true;
  text.remove_prefix(colon ? 6 : 5);
}

std::optional<LineStamp> take_stamp(std::string_view& text) {
  LineStamp stamp;
  if (has_shape(text, "0000-00-00T00:00:00") || has_shape(text, "0000-00-00 00:00:00")) {
    stamp.has_date = true;
    const std::int64_t year = number_at(text, 0, 4);
    if (year < kFirstYear || year > kLastYear) return std::nullopt;
    const std::int64_t days = days_of(year, number_at(text, 5, 2), number_at(text, 8, 2));
    stamp.ns = days * kDayNs;
    text.remove_prefix(11);
  }
  if (has_shape(text, "00:00:00")) {
    stamp.ns +=
        (number_at(text, 0, 2) * 3600 + number_at(text, 3, 2) * 60 + number_at(text, 6, 2)) * kSecondNs;
    text.remove_prefix(8);
    take_fraction(text, stamp);
    if (stamp.has_date) take_zone(text, stamp);
    return stamp;
  }
  if (!has_shape(text, "0000000000.0")) return std::nullopt;
  stamp.has_date = stamp.has_zone = true;
  const std::int64_t seconds = number_at(text, 0, 10);
  if (seconds >= kMaxSeconds) return std::nullopt;
  stamp.ns = seconds * kSecondNs;
  text.remove_prefix(10);
  take_fraction(text, stamp);
  return stamp;
}

/// `"time":"2025-10-14T04:33:23.904873512Z"` behind the text of the line.
std::optional<LineStamp> stamp_of_docker(std::string_view line) {
  constexpr std::string_view kMark = "\"time\":\"";
  const std::size_t at = line.rfind(kMark);
  if (at == std::string_view::npos) return std::nullopt;
  line.remove_prefix(at + kMark.size());
  return take_stamp(line);
}

}  // namespace

std::optional<LineStamp> stamp_of_line(std::string_view line) {
  if (is_docker_line(line)) return stamp_of_docker(line);
  constexpr int kMaxLabels = 3;
  for (int i = 0; i <= kMaxLabels; ++i) {
    const bool bracket = line.starts_with('[');
    std::string_view text = line.substr(bracket ? 1 : 0);
    const std::optional<LineStamp> stamp = take_stamp(text);
    const char behind = bracket ? ']' : ' ';
    if (stamp && (text.empty() || text[0] == behind)) return stamp;
    std::string_view tag;
    if (!take_label_piece(line, tag) && !take_number_piece(line)) return std::nullopt;
  }
  return std::nullopt;
}

LineTimes::LineTimes(std::string_view text) {
  std::uint32_t number = 0;
  std::int64_t turns = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    ++number;
    if (const auto stamp = stamp_of_line(text.substr(at, end - at))) {
      std::int64_t ns = stamp->ns + turns;
      const bool is_next_day = !moments_.empty() && !stamp->has_date && turns < kMaxTurnsNs &&
                               ns < moments_.back().ns - kDayNs / 2;
      if (is_next_day) turns += kDayNs;
      ns = stamp->ns + turns;
      if (!moments_.empty()) ns = std::max(ns, moments_.back().ns);
      moments_.push_back({number, ns});
      resolution_ns_ = std::min(resolution_ns_, stamp->resolution_ns);
      has_date_ = has_date_ && stamp->has_date;
      has_zone_ = has_zone_ && stamp->has_zone;
    }
    at = end + 1;
  }
}

std::int64_t LineTimes::at(std::uint32_t line) const {
  const auto behind =
      std::lower_bound(moments_.begin(), moments_.end(), line,
                       [](const Moment& moment, std::uint32_t wanted) { return moment.line < wanted; });
  if (behind == moments_.end()) return moments_.back().ns;
  if (behind->line == line || behind == moments_.begin()) return behind->ns;
  const Moment& before = *(behind - 1);
  const double share = static_cast<double>(line - before.line) / (behind->line - before.line);
  return before.ns + static_cast<std::int64_t>(share * static_cast<double>(behind->ns - before.ns));
}

std::int64_t LineTimes::doubt_ns(std::uint32_t line) const {
  const auto behind =
      std::lower_bound(moments_.begin(), moments_.end(), line,
                       [](const Moment& moment, std::uint32_t wanted) { return moment.line < wanted; });
  if (behind != moments_.end() && behind->line == line) return resolution_ns_;
  if (behind == moments_.end() || behind == moments_.begin()) return INT64_MAX;
  return std::max(behind->ns - (behind - 1)->ns, resolution_ns_);
}

}  // namespace ttscope::mem
