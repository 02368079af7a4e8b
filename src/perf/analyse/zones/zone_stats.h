#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "perf/analyse/zones/cycle_histogram.h"
#include "perf/model/zone_markers.h"

namespace ttscope::perf {

/// What of a zone is in the executions of one op.
struct ZoneOfOp {
  std::uint64_t call_count = 0;  ///< GLOBAL CALL COUNT
  std::uint64_t count = 0;
  std::uint64_t cycles = 0;  ///< added up over cores; 0 for marks
};

/// One zone on the processors of one name of a device; cycles are added up over cores.
struct ZoneFigures {
  std::uint32_t device = 0;
  std::string risc;
  ZoneSource source;
  std::uint64_t count = 0;  ///< zones with both of their ends; of a sum, its samples
  std::uint64_t cores = 0;
  std::uint64_t executions = 0;  ///< distinct (op id, trace, replay)
  std::uint64_t total_cycles = 0;
  std::uint64_t self_cycles = 0;  ///< without zones inside; 0 for sums
  std::uint64_t min_cycles = 0;
  std::uint64_t max_cycles = 0;
  double p50_cycles = 0;  ///< within 2 %
  double p99_cycles = 0;
  std::uint64_t unmatched_starts = 0;
  std::uint64_t unmatched_ends = 0;
  std::uint64_t least_value = 0;  ///< of data; lengths are those of zones and sums alone
  std::uint64_t most_value = 0;
  static constexpr std::size_t kOpsKept = 1000;
  std::vector<ZoneOfOp> ops;  ///< of what users marked: where it is longest, at most kOpsKept

  bool is_sum() const { return source.kind == ZoneKind::kSum; }
  /// A moment, not a stretch of time.
  bool is_mark() const { return source.kind == ZoneKind::kData || source.kind == ZoneKind::kEvent; }
  bool has_self() const { return !is_sum() && !is_mark(); }
  bool has_lengths() const { return count > 0 && !is_mark(); }
  double mean_cycles() const {
    return count == 0 ? 0 : static_cast<double>(total_cycles) / static_cast<double>(count);
  }
  /// What ranks zones: time that belongs to no other zone.
  std::uint64_t own_cycles() const { return is_sum() ? total_cycles : self_cycles; }
};

/// The processors of one name of a device.
struct ProcessorFigures {
  std::uint32_t device = 0;
  std::string risc;
  std::uint64_t zone_cycles = 0;  ///< of outermost zones: what the self times of all its zones add up to
};

struct ZoneStats {
  std::vector<ZoneFigures> zones;             ///< by device and processor, most own cycles first
  std::vector<ProcessorFigures> processors;   ///< by device and name
  std::uint64_t unmatched = 0;                ///< starts and ends without a partner
  std::vector<std::string> unmatched_places;  ///< the first ones

  const ProcessorFigures& processor_of(const ZoneFigures& zone) const;
  /// The share of its processors' zone time that a zone's self time is; 0 for sums.
  double self_share(const ZoneFigures& zone) const;
};

/// Collects what the processors of a log recorded; memory follows distinct zones, and the executions that
/// each occurs in. Not thread safe: several are filled apart and then joined. The order of joining does not
/// matter.
class ZoneCollector {
 public:
  static constexpr std::size_t kPlacesKept = 5;

  /// `catalog` may grow, and must outlive this.
  explicit ZoneCollector(const ZoneCatalog& catalog);
  ZoneCollector(ZoneCollector&&) noexcept;
  ~ZoneCollector();

  /// Takes one processor of a core; each at most once, in ascending order of `number`, its place in the log.
  /// Brings its markers into order.
  void take(ZoneGroup& group, std::size_t number);
  void join(const ZoneCollector& other);
  ZoneStats stats() const;

 private:
  class Store;
  std::unique_ptr<Store> store_;
};

}  // namespace ttscope::perf
