#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "fit/allocator.h"
#include "fit/device.h"

// What `ttscope fit` answers, whatever the input is. A producer (mem/analyze/fit for logs and modules; others
// for captures and training configs) fills a Report; the writers in fit/write word it and compute nothing.
//
// A producer has to fill in: `input` and `input_kind`; `devices`, one entry for each device asked for, or one
// for the input's own, each with `memories` (at least DRAM, in the order of kMemories), `fits`, and `failure`
// where it does not; `basis` of the figures and `omissions`, what they leave out. `replay` is for inputs with
// printed states alone; `changes` lists the what-ifs that were applied, `search` and `maximum` answer those
// questions if asked. Names in it are the input's own text: the writers escape them.

namespace ttscope::fit {

/// A batch or a sequence of another length. 0 stands for what the input tells.
struct Scaling {
  std::int64_t from = 0;  ///< as recorded; 0: found from the inputs
  std::int64_t to = 0;    ///< as asked for; 0: as recorded
};

enum class WeightFormat : std::uint8_t { kAsRecorded, kBfp8, kBfp4 };

/// What is asked to be different from the input; all of it at once.
struct Changes {
  WeightFormat weights = WeightFormat::kAsRecorded;
  bool free_originals = false;     ///< weights, once const-eval has its copies of them
  bool originals_on_host = false;  ///< on the device only while const-eval reads them
  bool best_fit = false;           ///< instead of first fit
  std::uint32_t tensor_parallel = 1;
  Scaling batch{};
  Scaling sequence{};
  std::vector<std::string> row_major{};   ///< names of tensors
  std::vector<std::string> free_early{};  ///< names of tensors, freed after their last use
  bool recompute = false;                 ///< training configs alone
  std::string optimizer{};                ///< training configs alone; empty: as configured

  bool any() const;
};

/// What can grow until it does not fit any more.
enum class Growth : std::uint8_t { kBatch, kSequence };

std::string_view name_of(Growth growth);

/// How far the search for a change is.
struct SearchProgress {
  std::size_t tried = 0;
  std::size_t most = 0;  ///< so many are tried where none fits
};

/// Everything that `ttscope fit` is asked about one input.
struct FitQuery {
  std::vector<std::string>
      devices{};  ///< names, `custom:...`; empty: the input's own; `all` is every product
  Changes changes{};
  bool search = false;              ///< for the smallest change that fits
  std::optional<Growth> maximum{};  ///< the largest value that fits
  bool own_too = false;             ///< the input's own device first, before those that are named
  std::function<void(const SearchProgress&)> on_try{};  ///< before each change that the search tries
};

/// The devices that are asked for, `all` spelled out, without the input's own.
Result<std::vector<Device>> requested_devices(const FitQuery& question, const Reservations& reserved);

/// Where a figure comes from, strongest first.
enum class Basis : std::uint8_t {
  kMeasured,   ///< printed by the run
  kReplayed,   ///< recorded allocations placed by the allocator model; sizes follow from recorded types
  kEstimated,  ///< a size or an order was computed by a rule: scaled shapes, split weights, unexplained
               ///< blocks
};

std::string_view name_of(Basis basis);

/// What figures leave out, or rest on.
enum class Omission : std::uint8_t {
  kCircularBuffers,      ///< of programs: they share L1 with tensors
  kKernels,              ///< binaries of programs in DRAM
  kTemporaries,          ///< buffers inside of an op, freed before it ends
  kAfterFailure,         ///< the run ended at its failure: what it would have needed after that
  kAfterCut,             ///< the log ends inside a program
  kUnexplained,          ///< blocks that the states show and no op line explains; scaled to other devices
  kActivationsNotSplit,  ///< tensor parallel: activations are taken as they are
  kDimensionsGuessed,    ///< scaled by dimensions that equal the batch or the sequence
  kSameSchedule,  ///< another device or shape would be compiled anew: order and layouts are the recorded ones
  kDeviceAssumed,      ///< the input does not tell its device
  kDeviceByMessage,    ///< the banks of one memory are told, by the message of a failure
  kHeldAssumed,        ///< a message that does not tell what was held: the least that makes it fail
  kHolesAssumed,       ///< a message tells how much was held and the largest hole, not where
  kCachesKept,         ///< a shorter sequence: the length of caches is a setting of its own
  kSequenceIsWidth,    ///< a weight, a head or a cache is as long as the sequence
  kDimensionsUnknown,  ///< a search that could not try another batch or sequence
  kNoStates,           ///< no memory was printed: the replay is not checked against the run
  kNoDeallocations,    ///< the input does not say when tensors are freed
  kModeledTraining,    ///< what operations make, keep and free follows tt-train's sources; nothing was run
  kVocabularyAssumed,  ///< a training config that leaves it to its data
  kBatchAssumed,       ///< a model config without a training config
  kUnreadTypes,        ///< tensors whose types could not be read: they count as nothing
};

std::string_view name_of(Omission omission);

enum class Shortage : std::uint8_t {
  kExhausted,        ///< more is needed than is free
  kFragmented,       ///< enough is free, but not in one piece
  kLargerThanBank,   ///< more is needed than a whole bank
  kRegionMissing,    ///< the memory has no size on this device
  kCircularBuffers,  ///< they reach into tensors or beyond L1
  kTooFewCores,      ///< sharded over more cores than there are
  kTooFewChips,      ///< the run uses more chips than there are
  kUndecided,        ///< a request of the run failed, and nothing tells how much was free
  kProgramTooLarge,  ///< a program is larger than the part of L1 that is kept for programs
};

std::string_view name_of(Shortage shortage);

/// Phases of a run that lie outside of its ops. The op of a place is then the one that comes next, or the one
/// before; between programs none.
inline constexpr std::string_view kProgramStart = "program start";
inline constexpr std::string_view kAfterOp = "after the op";
inline constexpr std::string_view kBetweenPrograms = "between programs";

/// Where in the input something happens.
struct Place {
  std::string op;     ///< `ttnn.matmul`; empty: unknown
  std::string loc;    ///< its location; empty: none
  std::string phase;  ///< of training, or one of those below; empty: in the op itself
  std::uint32_t op_index = kNone;
  std::uint32_t line = 0;  ///< 0: none
};

/// A tensor that was on the device at a moment.
struct LiveTensor {
  std::string name;
  std::string kind;  ///< weight, const_eval, activation, input, gradient, moment, ...
  std::string shape;
  std::string dtype;
  std::int64_t bytes_per_bank = 0;
};

struct KindBytes {
  std::string kind;
  std::int64_t bytes_per_bank = 0;
  std::uint64_t tensors = 0;
};

/// The first request that finds no room.
struct Failure {
  Shortage shortage = Shortage::kExhausted;
  std::optional<Memory> memory;  ///< nothing where no memory is to blame
  Place place;
  std::string tensor;               ///< what was to be placed, as far as known
  std::int64_t bytes_per_bank = 0;  ///< asked for; this and the next two are -1 where nothing tells
  std::int64_t free_bytes_per_bank = 0;
  std::int64_t largest_free_bytes_per_bank = 0;
  std::int64_t needed = 0;  ///< kTooFewCores, kTooFewChips: how many are needed
  /// Circular buffers, where a message tells it: the address that they reach and the one that they may not
  /// pass, the end of L1 or the lowest tensor; else -1.
  std::int64_t reached_bytes = -1;
  std::int64_t limit_bytes = -1;
  Basis basis = Basis::kReplayed;
  std::vector<KindBytes> held;     ///< by kind, largest first: adds up to what is allocated
  std::vector<LiveTensor> live;    ///< largest first, at most kMaxLiveTensors
  std::uint64_t live_tensors = 0;  ///< all of them
};

inline constexpr std::size_t kMaxLiveTensors = 20;

/// One memory over the whole run. Figures are of one bank; all banks are alike.
struct MemoryUse {
  Memory memory = Memory::kDram;
  Region region;
  std::int64_t peak_bytes_per_bank = 0;      ///< the most that has to be there at once, beyond the bank too
  std::int64_t headroom_bytes_per_bank = 0;  ///< the bank less the peak: below 0 what is missing
  Place peak_place;
  /// The largest free block when it is smallest: what an op could still have taken at any time. Up to the
  /// failure, where there is one.
  std::int64_t smallest_largest_free_bytes_per_bank = 0;
  double worst_fragmentation = 0;  ///< 1 - largest free block / free, where that is highest
  Basis basis = Basis::kReplayed;
  bool is_known = true;  ///< false: nothing in the input tells of this memory, and its figures mean nothing
};

/// What a memory of a device went through when a run was placed in it; `peak_place` and `basis` are the
/// caller's to tell.
MemoryUse use_of_placed(const PlacedMemory& placed, const Device& device, Memory memory);

/// A phase of training, in bytes of each bank of DRAM.
struct PhaseUse {
  enum class State : std::uint8_t { kDone, kFailed, kNotReached };
  std::string name;
  State state = State::kDone;
  std::int64_t before_bytes_per_bank = 0;
  std::int64_t peak_bytes_per_bank = 0;  ///< what it needs at once, whether or not that was reached
  std::int64_t after_bytes_per_bank = 0;
};

std::string_view name_of(PhaseUse::State state);

struct DeviceVerdict {
  Device device;
  bool fits = false;
  std::int64_t rank =
      0;             ///< whose figures these are: the first that fails, else the one with the highest peak
  std::string file;  ///< of that rank; empty where there is one rank
  std::vector<MemoryUse> memories;
  std::optional<Failure> failure;  ///< nothing where it fits
  std::vector<PhaseUse> phases;    ///< of training configs alone
  Basis basis = Basis::kReplayed;

  const MemoryUse* use_of(Memory memory) const;
};

/// A printed figure that the replay does not give.
struct ReplayMiss {
  std::int64_t rank = 0;
  std::uint32_t line = 0;
  Memory memory = Memory::kDram;
  bool of_largest_free = false;  ///< else of what is allocated
  std::int64_t printed_bytes_per_bank = 0;
  std::int64_t replayed_bytes_per_bank = 0;
};

inline constexpr std::size_t kMaxMisses = 100;

/// How the unchanged replay agrees with what the run printed: the licence of all other figures.
struct Agreement {
  std::uint64_t states = 0;              ///< printed memory blocks of all ranks
  std::uint64_t allocated_equal = 0;     ///< of these, with every allocated figure as printed
  std::uint64_t largest_free_equal = 0;  ///< with every largest free block as printed
  std::uint64_t corrections = 0;  ///< blocks placed or freed because a state shows it and no op line says so
  std::int64_t unexplained_bytes_per_bank = 0;  ///< the most DRAM that such blocks held at once
  std::uint64_t misses = 0;
  std::vector<ReplayMiss> first_misses;  ///< at most kMaxMisses
};

/// One what-if that was applied.
struct AppliedChange {
  std::string option;         ///< `--weights`
  std::string value;          ///< `bfp8`; empty for flags
  std::uint64_t tensors = 0;  ///< that it changes
  std::int64_t from = 0;      ///< batch and sequence: as recorded
  std::int64_t to = 0;
  Basis basis = Basis::kReplayed;
  bool whole_model = false;  ///< it changes the model, not single tensors: none are counted
};

/// One change, or several together, that a search tried.
struct Attempt {
  std::vector<AppliedChange> changes;
  bool fits = false;
  std::int64_t peak_bytes_per_bank = 0;
  std::int64_t headroom_bytes_per_bank = 0;
  Basis basis = Basis::kReplayed;
};

struct Search {
  std::string device;
  bool fits_unchanged = false;
  std::vector<Attempt> attempts;      ///< in the order in which they were tried, smallest change first
  std::optional<std::size_t> answer;  ///< in attempts: the smallest that fits
};

struct Maximum {
  std::string device;
  Growth growth = Growth::kBatch;
  std::int64_t recorded = 0;
  std::optional<std::int64_t> largest;  ///< that fits; nothing: not even 1
  bool at_limit = false;                ///< it was not tried further
  std::int64_t headroom_bytes_per_bank = 0;
};

/// What several inputs are to each other.
enum class Joined : std::uint8_t {
  kSingle,
  kRanks,    ///< ranks of one run, side by side
  kInOrder,  ///< parts of one run, one after the other
};

struct Report {
  std::vector<std::string> inputs;  ///< paths as given
  Joined joined = Joined::kSingle;
  std::uint64_t ranks = 1;
  std::string input_kind;  ///< `runtime log`, `module`, `graph capture`, `training config`
  std::optional<Agreement> replay;
  std::vector<AppliedChange> changes;
  std::vector<DeviceVerdict> devices;
  std::vector<Omission> omissions;
  std::optional<Search> search;
  std::optional<Maximum> maximum;

  bool fits() const;  ///< on every device that was asked for
  /// Why only the beginning of the run is told (kAfterFailure, kAfterCut): that it fits is true so far.
  std::optional<Omission> cut_by() const;
};

}  // namespace ttscope::fit
