#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/trust.h"
#include "mem/analyze/failures.h"
#include "mem/model/runtime_log.h"

/// What would make the peak of a memory smaller, and by how much. Words are in mem/write/words/fix_text.h.

namespace ttscope::mem {

struct MemoryProfile;

enum class FixKind : std::uint8_t {
  kFreeCopiedOriginals,  ///< weights of which const-eval has made its copy
  kBfp8Weights,          ///< weights and const-eval results in block formats
  kBfp4Weights,
  kLessPadding,  ///< tensors that tiles pad to a multiple of their size: reshaped, or row-major
  kSharedPages,  ///< small or row-major tensors that take a page in every bank: joined, or kept elsewhere
  kDeallocateEarlier,       ///< activations, right after their last use
  kInputsOnHost,            ///< inputs on the device from their first to their last use only
  kSmallerBatch,            ///< half of it
  kShorterSequence,         ///< half of it
  kMoreDevices,             ///< weights spread over twice as many
  kLargerRegion,            ///< the region of the failed allocation, to what it asked for
  kSmallerCircularBuffers,  ///< of the failed op, by what they have too much
  kHoldLess,                ///< what a bank lacks, where no tensor is known that could go
  kSmallerTensor,           ///< than a bank, which no other tensor can help
  kSmallerProgram,
  kLessOnHost,
};

inline constexpr std::size_t kFixKindCount = 16;

/// `free_copied_originals`, `bfp8_weights`, ...: as in ttscope.mem/1.
std::string_view name_of(FixKind kind);

/// One way to a smaller peak. Each is replayed alone: what several save together is not the sum.
struct Fix {
  FixKind kind = FixKind::kFreeCopiedOriginals;
  std::uint32_t rank = 0;
  Memory memory = Memory::kDram;
  std::int64_t peak_before_bytes_per_bank = 0;  ///< with what the failed allocation asked for
  std::int64_t peak_after_bytes_per_bank = 0;   ///< of the run replayed with it; it may lie elsewhere
  std::int64_t saves_bytes_per_bank = 0;        ///< the difference
  std::optional<bool> enough{};  ///< for the failed allocation; nothing where none failed, or nobody can tell
  bool maybe_in_pieces = false;  ///< enough in all, but memory was fragmented: nobody can tell
  std::uint64_t tensors = 0;     ///< that take less at the peak
  std::int64_t tensor_bytes_per_bank = 0;               ///< what they take less then: the most it can save
  std::vector<std::uint32_t> largest;                   ///< of these, in RankProfile::buffers
  FailureVerdict against = FailureVerdict::kUndecided;  ///< kHoldLess: which failure it is;
                                                        ///< kBuffersClash: figures are of that op alone
  std::int64_t amount = 0;  ///< kSmallerBatch, kShorterSequence: what is halved; kLargerRegion: bytes asked,
                            ///< 0 where no line tells; kSmallerCircularBuffers, kHoldLess, kSmallerTensor,
                            ///< kSmallerProgram: bytes too much on a core or in a bank
  bool amount_is_total = false;  ///< kLargerRegion: of all banks together, else of each
};

/// Of which memory the peak shall become smaller, and for which failed allocation (null: none failed).
struct FixQuestion {
  std::uint32_t rank = 0;
  Memory memory = Memory::kDram;
  const OutOfMemory* failure = nullptr;
};

/// The fixes that save anything worth it, those that save most first.
std::vector<Fix> find_fixes(const RuntimeLog& log, const MemoryProfile& profile, const FixQuestion& question);

/// The same for a whole profile: for the first failed allocation of every rank and memory, or for the DRAM of
/// the main rank where none failed.
std::vector<Fix> find_fixes(const RuntimeLog& log, const MemoryProfile& profile);

}  // namespace ttscope::mem
