#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "perf/analyze/executions.h"
#include "perf/model/capture_files.h"

namespace ttscope::perf {

/// A start with its end.
struct PairedZone {
  std::uint32_t zone = 0;
  std::uint32_t execution = kNone;
  std::uint64_t cycles = 0;
  std::uint64_t self_cycles = 0;  ///< without those of the zones directly inside it
  std::uint64_t start_cycle = 0;
};

/// What pairing finds, in the order in which zones end.
class ZoneSink {
 public:
  virtual ~ZoneSink() = default;
  virtual void take_zone(const PairedZone& zone) = 0;
  /// Cycles of zones that are inside of no other one with both of its ends.
  virtual void take_roots(std::uint64_t cycles) = 0;
  virtual void take_unmatched(const ZoneMarker& marker) = 0;
};

/// Pairs starts and ends of one processor in order of time, as scopes nest: an end closes the last open start
/// of its name and execution, and what is still open inside of that has lost its end. Puts the markers in
/// order and their times beyond the end of the timer.
void pair_zones(ZoneGroup& group, const ZoneCatalog& catalog, ZoneSink& sink);

/// How often lengths occurred, in buckets that are at most a 32nd of their lengths wide: quantiles to less
/// than 2 % in memory that follows the spread of the lengths, not their number.
class CycleHistogram {
 public:
  void add(std::uint64_t cycles) { ++buckets_[bucket_of(cycles)]; }
  void add(const CycleHistogram& other);
  /// The middle of the bucket in which the quantile lies (its value where that is the only one); 0 when
  /// empty.
  double quantile(double fraction) const;

 private:
  static std::uint16_t bucket_of(std::uint64_t cycles);
  static double middle_of(std::uint16_t bucket);

  std::unordered_map<std::uint16_t, std::uint64_t> buckets_;
};

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
  std::uint64_t min_value = 0;  ///< of data; lengths are those of zones and sums alone
  std::uint64_t max_value = 0;
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

/// The zones of one capture.
struct CaptureZones {
  std::string host;  ///< empty unless there are several
  ZoneStats stats;
  DeviceClocks clocks;
  bool is_modeled = false;  ///< the chips were simulated

  /// Cycles a microsecond of a device; 0 where it is not known.
  double clock_of(std::uint32_t device) const { return perf::clock_of(clocks, device); }
};

/// A zone on the processors of one name, of all devices: a table of the same kernels on each of them would
/// show nothing else.
struct MergedZone {
  const ZoneSource* source = nullptr;  ///< in the zones that were merged
  std::string risc;
  std::vector<std::uint32_t> devices;
  std::uint64_t count = 0;
  std::uint64_t cores = 0;
  double self = 0;
  double total = 0;
  double p99 = 0;    ///< of the device where it is longest
  double whole = 0;  ///< time of all zones of these processors

  std::uint64_t min_value = UINT64_MAX;
  std::uint64_t max_value = 0;

  bool is_sum() const { return source->kind == ZoneKind::kSum; }
  bool is_mark() const { return source->kind == ZoneKind::kData || source->kind == ZoneKind::kEvent; }
  bool has_self() const { return !is_sum() && !is_mark(); }
  double mean() const { return total / static_cast<double>(count); }
  double self_share() const { return whole > 0 ? self / whole : 0; }
};

/// Times are microseconds, or cycles where the clock of a device is not known.
struct MergedZones {
  bool in_us = true;
  /// What authors of kernels put there, then kernels, then what is not theirs to change; in each those with
  /// the most time of their own first.
  std::vector<MergedZone> list;
};

/// Zones without a whole occurrence are left out. The zones must outlive what is merged of them.
MergedZones merged_zones(const CaptureZones& zones);

}  // namespace ttscope::perf
