#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace ttscope::mem {

/// What stands in front of a line as its time.
struct LineStamp {
  std::int64_t ns = 0;             ///< since 1970 where it has a date, else since midnight
  std::int64_t resolution_ns = 0;  ///< of its last digit
  bool has_date = false;
  bool has_zone = false;  ///< the time zone is told, or it counts seconds since 1970
};

/// `2025-10-14T04:33:23.9048735Z`, `2026-11-18 00:06:49.123`, `[12:43:46.5]`, `1700000000.123456`, behind
/// labels of processes; of a line of docker's its time.
std::optional<LineStamp> stamp_of_line(std::string_view line);

/// The times of the lines of a log; not every line must have one.
class LineTimes {
 public:
  struct Moment {
    std::uint32_t line = 0;
    std::int64_t ns = 0;
  };

  /// Takes the times of all lines of a text. They never go back: a day that is not told goes on behind
  /// midnight.
  explicit LineTimes(std::string_view text);

  bool is_known() const { return !moments_.empty(); }
  /// The time of a line; of one without a stamp by those around it.
  std::int64_t at(std::uint32_t line) const;
  /// How far the time of a line may be off: the resolution, or the distance of the stamps around it.
  std::int64_t doubt_ns(std::uint32_t line) const;
  const std::vector<Moment>& moments() const { return moments_; }
  std::int64_t resolution_ns() const { return resolution_ns_; }
  bool has_date() const { return has_date_; }
  bool has_zone() const { return has_zone_; }

 private:
  std::vector<Moment> moments_;
  std::int64_t resolution_ns_ = INT64_MAX;
  bool has_date_ = true;
  bool has_zone_ = true;
};

}  // namespace ttscope::mem
