#include "mem/write/words/candidate_text.h"

#include <fmt/format.h>

namespace ttscope::mem {
namespace {

std::string reason_text(const TensorCandidate& candidate, Names names) {
  const std::string name = candidate.name.empty() ? "" : " " + in_sentence(names, candidate.name);
  switch (candidate.reason) {
    case CandidateReason::kResult:
      return fmt::format("result{} of the op", name);
    case CandidateReason::kOperand:
      return fmt::format("as the op's operand{}", name);
    case CandidateReason::kArgument:
      return fmt::format("program argument{}", name);
    case CandidateReason::kSeen:
      return "a tensor of the log of exactly this size";
    case CandidateReason::kResultConverted:
      return fmt::format("the op's tensor{} in this type and layout", name);
    case CandidateReason::kSeenConverted:
      return "a tensor of the log, in this type and layout";
    case CandidateReason::kPlausible:
      break;
  }
  return "by its size alone: dimensions that models have, no tensor of the text";
}

}  // namespace

std::string_view origin_name(const MemoryProfile& profile, const TensorCandidate& candidate) {
  return candidate.origin < profile.arguments.size()
             ? std::string_view(profile.arguments[candidate.origin].name)
             : std::string_view();
}

std::string candidate_text(const MemoryProfile& profile, const TensorCandidate& candidate, Names names) {
  std::string text = fmt::format("{} in {}", tensor_text(candidate.shape, candidate.dtype),
                                 candidate.tiled ? "tiles" : "rows");
  if (candidate.padding_factor >= 1.005)
    text += fmt::format(", padded {:.2f} times", candidate.padding_factor);
  text += fmt::format(": {}", reason_text(candidate, names));
  if (const std::string_view origin = origin_name(profile, candidate); !origin.empty())
    text += fmt::format(", made of {}", in_sentence(names, origin));
  return text;
}

}  // namespace ttscope::mem
