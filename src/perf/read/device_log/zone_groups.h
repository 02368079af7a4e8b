#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/string_pool.h"
#include "perf/model/zone_markers.h"
#include "perf/read/device_log/log_lines.h"
#include "perf/read/device_log/log_row.h"
#include "perf/read/device_log/old_log_row.h"

namespace ttscope::perf {

/// Where the rows of one processor of a core stand in a device log. The runtime writes them together, once a
/// dump, so these are few stretches.
struct ZonePlace {
  struct Stretch {
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  std::uint32_t device = 0;
  std::uint16_t x = 0;
  std::uint16_t y = 0;
  std::string_view risc;
  std::vector<Stretch> stretches;
};

/// The processors of a device log of any version, ordered by device, core and name. The text must outlive
/// them.
class ZonePlaces {
 public:
  ZonePlaces(std::string_view text, unsigned threads);

  std::size_t size() const { return places_.size(); }
  const ZonePlace& operator[](std::size_t index) const { return places_[index]; }
  std::string_view text() const { return text_; }
  /// The columns, where they are not those of today.
  const std::vector<std::string>* old_columns() const { return current_ ? nullptr : &columns_; }

 private:
  std::string_view text_;
  bool current_ = true;
  std::vector<std::string> columns_;
  std::vector<ZonePlace> places_;
};

/// Reads the zones of one processor after the other; names and executions are numbered across all that one
/// reader has read. Not thread safe: each thread has its own.
class ZoneGroupReader {
 public:
  explicit ZoneGroupReader(const ZonePlaces& places);

  /// Valid until the next call.
  ZoneGroup& read(const ZonePlace& place);
  const ZoneCatalog& catalog() const { return catalog_; }

 private:
  /// What followed a marker the last time: kernels go through the same zones again and again.
  struct Follower {
    std::string_view zone;
    std::string_view rest;
    MarkerType type = MarkerType::kOther;  ///< starts and ends are one
    std::uint32_t number = 0;
  };

  void read_stretch(std::string_view text);
  void take(const LogRow& row);
  std::uint32_t zone_number(const LogRow& row);
  std::uint32_t intern_zone(const LogRow& row);
  std::uint32_t execution_number(const LogRow& row);

  const ZonePlaces& places_;
  RowReader reader_;
  LogRow row_;  ///< the reader leaves in it what the next line repeats
  std::unique_ptr<NamedRowReader> old_reader_;
  ZoneCatalog catalog_;
  ZoneGroup group_;
  StringPool zone_keys_;
  StringPool pairs_;
  std::unordered_map<ExecutionKey, std::uint32_t, ExecutionKeyHash> executions_;
  ExecutionKey last_key_;
  std::uint32_t last_execution_ = kNone;
  std::vector<Follower> followers_;  ///< of starts and other markers of each zone
  std::size_t last_marker_ = 0;
  std::string space_;
  std::string key_;
};

}  // namespace ttscope::perf
