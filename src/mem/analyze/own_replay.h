#pragma once

#include <cstdint>
#include <vector>

#include "fit/allocator.h"
#include "fit/report.h"
#include "mem/analyze/memory_profile.h"
#include "mem/model/device.h"

namespace ttscope::mem {

/// Where a life comes from.
enum class LifeSource : std::uint8_t {
  kTensor,              ///< a modeled buffer, under all the names that it had
  kFailedTensor,        ///< a result of the op that ran out of memory
  kFailedRequest,       ///< what a failure's message asks for, where no tensor of the op has its size
  kCircularBuffers,     ///< of the op that failed because of them
  kUnexplained,         ///< a printed state shows it and no op line says it
  kFromFailureMessage,  ///< held when a request failed, by its message alone
  kAssumedHeld,         ///< the least that makes a request fail whose message does not tell what was held
  kHole,                ///< room between those
};

/// One allocation of a rank from its birth to its death. The order of a rank's lives is the order of births.
struct Life {
  fit::Tick born = 0;
  fit::Tick died = fit::kNever;
  std::int64_t bytes_per_bank = 0;  ///< on the device of the log
  std::uint32_t buffer = kNone;     ///< its last record in RankProfile::buffers; kNone: it has none
  std::uint32_t type = kNone;       ///< as Buffer::type; kNone: only its bytes are known
  std::uint32_t op = kNone;         ///< during which it is born; kNone: between programs, or unknown
  Memory memory = Memory::kDram;
  TensorKind kind = TensorKind::kUnknown;
  LifeSource source = LifeSource::kTensor;
  bool top_down = false;  ///< against the usual direction of DRAM
  fit::Tick first_used = fit::kNever;
  fit::Tick last_used = 0;
};

/// An op allocates its results before it frees anything; at the start of a program outputs that nobody takes
/// go before its arguments come.
constexpr fit::Tick birth_tick(Moment moment) { return 2 * moment; }

constexpr fit::Tick death_tick(Moment moment) {
  return moment == kForever ? fit::kNever : 2 * moment + moment % 2;
}

/// When a state printed at a moment was taken: after all of it.
constexpr fit::Tick state_tick(Moment moment) { return 2 * moment + 1; }

constexpr Moment moment_of_tick(fit::Tick tick) { return tick / 2; }

struct RankLives {
  std::vector<Life> lives;
  std::vector<std::uint32_t> life_of_buffer;  ///< by record of RankProfile::buffers
  std::uint32_t failed_life = kNone;          ///< what the run's own failure asked for
  fit::Tick failed_tick = 0;                  ///< when that failed
};

/// The allocations of a rank as its op lines tell them, and what its failure asked for.
RankLives lives_of(const RuntimeLog& log, std::uint32_t rank, const RankProfile& profile,
                   const fit::Device& device);

/// The device that a rank ran on, as far as memory goes: its sizes are the printed ones, else what messages
/// of failures say, else usual ones. `assumed` tells that the size of DRAM is one of those.
fit::Device own_device(const RankLog& rank, const RankProfile& profile, bool& assumed);

/// Whether the size of DRAM comes from the message of a failure, and nothing else tells of the device.
bool is_size_from_message(const RankLog& rank, const RankProfile& profile, bool assumed);

/// What the lives ask of an allocator, in their order.
std::vector<fit::Demand> demands_of(const RankLives& lives);
fit::Demand demand_of(const Life& life);

/// The failure of memory that ended the rank; null when none did, or when it was none of the device's.
const OutOfMemory* ending_failure(const RankLog& rank);
/// The failure that decides whether the rank fitted as it ran: the one that ended it, else the first of the
/// device, which it survived. Null when there was none.
const OutOfMemory* deciding_failure(const RankLog& rank);

/// The unchanged run of a rank, placed by the allocator model on its own device.
struct OwnReplay {
  fit::Device device;  ///< with exact sizes where they can be told
  bool device_is_assumed = false;
  bool device_by_message = false;  ///< a message tells the banks of DRAM, and nothing else its device
  RankLives lives;                 ///< with what the states show beyond the op lines
  fit::Agreement agreement;
  std::vector<fit::ScheduleEvent> events;  ///< births and deaths of the lives
};

OwnReplay replay_rank(const RuntimeLog& log, std::uint32_t rank, const RankProfile& profile);

/// What the runtime prints for so many bytes: MiB with three decimals, halves to even as printf does.
constexpr MilliMib printed_as(std::int64_t size_bytes) {
  constexpr std::int64_t kMib = 1048576;
  if (size_bytes <= 0) return 0;
  const std::int64_t whole = size_bytes / kMib;
  const std::int64_t thousandths = size_bytes % kMib * 1000;
  const std::int64_t rest = thousandths % kMib;
  std::int64_t milli = whole * 1000 + thousandths / kMib;
  if (rest > kMib / 2 || (rest == kMib / 2 && milli % 2 != 0)) ++milli;
  return static_cast<MilliMib>(milli);
}

/// The bytes that a printed figure can stand for, both ends included.
struct ByteRange {
  std::int64_t low = 0;
  std::int64_t high = 0;

  bool empty() const { return low > high; }
  bool has(std::int64_t value) const { return low <= value && value <= high; }
  ByteRange shifted(std::int64_t by) const { return {low + by, high + by}; }
  ByteRange with(const ByteRange& other) const {
    return {low > other.low ? low : other.low, high < other.high ? high : other.high};
  }
};

constexpr ByteRange range_of(MilliMib value) {
  constexpr std::int64_t kTwoThousandths = 1048576;  // of a MiB, times 2000
  const std::int64_t twice = 2 * static_cast<std::int64_t>(value);
  const std::int64_t low = ((twice - 1) * kTwoThousandths + 1999) / 2000;
  const std::int64_t high = (twice + 1) * kTwoThousandths / 2000;
  return {value == 0 ? 0 : low, high};
}

}  // namespace ttscope::mem
