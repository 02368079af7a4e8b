#include "mem/write/words/fix_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/number_text.h"

namespace ttscope::mem {
namespace {

constexpr std::size_t kTensorsNamed = 2;

std::string region_fix_text(const Fix& fix) {
  const std::string_view setting =
      fix.memory == Memory::kTrace
          ? "TT_RUNTIME_TRACE_REGION_SIZE, or trace_region_size when the device is opened"
          : "l1_small_size when the device is opened";
  if (fix.amount == 0) return fmt::format("make the {} region larger ({})", name_of(fix.memory), setting);
  return fmt::format("make the {} region larger: at least {} in {} ({})", name_of(fix.memory),
                     report::size_text(fix.amount), fix.amount_is_total ? "all banks together" : "each bank",
                     setting);
}

std::string hold_less_text(const Fix& fix) {
  const std::string_view ways =
      fix.memory == Memory::kL1
          ? "shards on more cores, a tensor moved to DRAM, smaller blocks or a smaller batch, earlier "
            "deallocation"
          : "weights in bfp8, a smaller batch or sequence, earlier deallocation, more chips";
  const std::string_view memory = name_of(fix.memory);
  if (fix.amount == 0) return fmt::format("hold less in {} when it is asked for ({})", memory, ways);
  const std::string amount = report::size_text(fix.amount);
  if (fix.against == FailureVerdict::kFragmented)
    return fmt::format("free {} more beside the largest free block of {}, or have less come and go ({})",
                       amount, memory, ways);
  return fmt::format("hold at least {} less in each bank of {} when it is asked for ({})", amount, memory,
                     ways);
}

std::string smaller_tensor_text(const Fix& fix) {
  const double times = report::ratio(fix.peak_before_bytes_per_bank, fix.peak_after_bytes_per_bank);
  return fmt::format(
      "make the tensor at least {:.1f} times smaller, or spread it over more banks: another shape or batch, "
      "a "
      "smaller element type, shards on more cores, more chips",
      std::ceil(times * 10) / 10);
}

std::string what_to_do(const Fix& fix) {
  const std::string tensors = report::counted(fix.tensors, "tensor");
  switch (fix.kind) {
    case FixKind::kFreeCopiedOriginals:
      return fmt::format("free the originals of {} once const-eval has made its copies",
                         report::counted(fix.tensors, "weight"));
    case FixKind::kBfp8Weights:
      return fmt::format("store {} in bfp8 (check the accuracy)",
                         report::counted(fix.tensors, "weight matrix", "weight matrices"));
    case FixKind::kBfp4Weights:
      return fmt::format("store {} in bfp4 (check the accuracy)",
                         report::counted(fix.tensors, "weight matrix", "weight matrices"));
    case FixKind::kLessPadding:
      return fmt::format("reshape {} or make them row-major: tiles pad them to 4 times their size and more",
                         tensors);
    case FixKind::kSharedPages:
      if (fix.memory == Memory::kL1) {
        return fmt::format(
            "spread {} over more cores or move to DRAM: what a shard takes on one core is taken on all",
            tensors);
      }
      return fmt::format(
          "join or drop {} that take a whole page in every bank although they fill only some of them",
          tensors);
    case FixKind::kDeallocateEarlier:
      return fmt::format("deallocate {} right after their last use",
                         report::counted(fix.tensors, "activation"));
    case FixKind::kInputsOnHost:
      return fmt::format("keep {} on the host until they are used, and free them after",
                         report::counted(fix.tensors, "input"));
    case FixKind::kSmallerBatch:
      return fmt::format("halve the batch ({} to {})", fix.amount, fix.amount - fix.amount / 2);
    case FixKind::kShorterSequence:
      return fmt::format("halve the sequence ({} to {})", fix.amount, fix.amount - fix.amount / 2);
    case FixKind::kMoreDevices:
      return fmt::format("spread weights and caches over twice as many chips ({})", tensors);
    case FixKind::kSmallerCircularBuffers:
      return fmt::format(
          "make the circular buffers of the op {}smaller on every core (smaller blocks, fewer buffers, "
          "inputs in bfp8, more cores)",
          fix.amount == 0 ? "" : fmt::format("at least {} ", report::size_text(fix.amount)));
    case FixKind::kHoldLess:
      return hold_less_text(fix);
    case FixKind::kSmallerTensor:
      return smaller_tensor_text(fix);
    case FixKind::kSmallerProgram:
      return "make the kernels of the op smaller (fewer compile-time variants, fewer arguments), or split "
             "the op";
    case FixKind::kLessOnHost:
      return "give the host more memory, or have it hold less at once: fewer processes, weights loaded piece "
             "by "
             "piece, a smaller batch";
    case FixKind::kLargerRegion:
      break;
  }
  return region_fix_text(fix);
}

/// Of what is no replay.
std::string plain_effect(const Fix& fix) {
  const std::string amount = report::size_text(fix.amount);
  switch (fix.kind) {
    case FixKind::kHoldLess:
      return fix.amount == 0
                 ? "the text does not tell how much"
                 : "that is what the message says is missing; the log of the run tells which tensors";
    case FixKind::kSmallerTensor:
      return fmt::format("it takes {} of a bank that holds {}",
                         report::size_text(fix.peak_before_bytes_per_bank),
                         report::size_text(fix.peak_after_bytes_per_bank));
    case FixKind::kSmallerProgram:
      return fix.amount == 0 ? "the text does not tell by how much" : fmt::format("{} are too much", amount);
    case FixKind::kLessOnHost:
      return fix.amount == 0 ? "the text does not tell how much" : fmt::format("{} were asked for", amount);
    default:
      return {};
  }
}

std::string effect_of(const Fix& fix) {
  if (std::string plain = plain_effect(fix); !plain.empty()) return plain;
  if (fix.kind == FixKind::kLargerRegion) {
    return fix.amount == 0       ? "the text does not tell how much"
           : fix.amount_is_total ? "that is what the trace buffers ask for"
                                 : "that is what the failed allocation asks for";
  }
  if (fix.kind == FixKind::kSmallerCircularBuffers) {
    if (fix.amount == 0) return "the text does not tell by how much";
    return fmt::format("they may end at {}, and end at {}", report::size_text(fix.peak_after_bytes_per_bank),
                       report::size_text(fix.peak_before_bytes_per_bank));
  }
  const bool of_one_op = fix.against == FailureVerdict::kBuffersClash;
  const std::string after = report::size_text(fix.peak_after_bytes_per_bank);
  std::string text = of_one_op
                         ? fmt::format("{} then holds {} per bank at the op", name_of(fix.memory), after)
                         : fmt::format("the {} peak becomes {} per bank", name_of(fix.memory), after);
  if (fix.maybe_in_pieces) text += ", enough if that is in one piece";
  if (fix.enough) text += *fix.enough ? ", enough up to there" : ", not enough alone";
  return text;
}

}  // namespace

FixText fix_text(const ProfileView& view, const Fix& fix) {
  FixText text{what_to_do(fix), effect_of(fix), {}};
  if (fix.rank >= view.profile.ranks.size()) return text;
  const RankProfile& rank = view.rank_profile(fix.rank);
  for (std::size_t i = 0; i < std::min(fix.largest.size(), kTensorsNamed); ++i) {
    const Buffer& buffer = rank.buffers[fix.largest[i]];
    text.evidence +=
        fmt::format("{}{} ({}, {})", text.evidence.empty() ? "" : ", ",
                    in_sentence(view.names, buffer_label(view, fix.rank, buffer)),
                    tensor_text(type_of(view.trace, rank, buffer)), report::size_text(buffer.bytes_per_bank));
  }
  return text;
}

}  // namespace ttscope::mem
