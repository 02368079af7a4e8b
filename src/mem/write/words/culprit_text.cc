#include "mem/write/words/culprit_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/number_text.h"

namespace ttscope::mem {
namespace {

using report::count_text;
using report::counted;
using report::size_text;

constexpr std::size_t kNamed = 3;

std::string tensor_words(const ProfileView& view, std::uint32_t rank, std::uint32_t id) {
  const RankProfile& profile = view.rank_profile(rank);
  const Buffer& buffer = profile.buffers[id];
  return fmt::format("{} ({}, {})", in_sentence(view.names, buffer_label(view, rank, buffer)),
                     tensor_text(type_of(view.trace, profile, buffer)), size_text(buffer.bytes_per_bank));
}

/// `last used at line 12, 41 ops before`, and how that is known.
std::string idle_words(const ProfileView& view, const FailureReport& report, const IdleTensor& idle) {
  const auto& ops = view.rank_trace(report.rank).ops;
  std::string text;
  if (idle.last_op < ops.size())
    text =
        fmt::format(", {} at line {}, {} before",
                    view.rank_profile(report.rank).buffers[idle.buffer].last_used == 0 ? "made" : "last used",
                    count_text(ops[idle.last_op].line), counted(idle.idle_ops, "op"));
  if (idle.freed_by < ops.size())
    text += fmt::format(" (another run frees it at line {})", count_text(ops[idle.freed_by].line));
  if (idle.freed_line != 0)
    text += fmt::format(" (the compiled program frees it later, at line {})", count_text(idle.freed_line));
  if (idle.proof == IdleProof::kProgramEnded) text += " (its program had ended)";
  return text;
}

std::string run_words(const ProfileView& view, const FailureReport& report, std::uint32_t instance) {
  return fmt::format("run {} (line {})", view.rank_profile(report.rank).programs[instance].run + 1,
                     count_text(view.rank_trace(report.rank).programs[instance].start_line));
}

}  // namespace

std::string_view holder_word(HolderKind kind) {
  switch (kind) {
    case HolderKind::kWeight:
      return "weights";
    case HolderKind::kConstEvalCopy:
      return "const-eval copies beside their weights";
    case HolderKind::kConstEval:
      return "other const-eval results";
    case HolderKind::kActivation:
      return "activations";
    case HolderKind::kInput:
      return "inputs";
    case HolderKind::kUnknown:
      return "tensors of unknown kind";
    case HolderKind::kUnaccounted:
      break;
  }
  return "unaccounted: in no tensor that the text names";
}

std::string freed_late_sum(const FailureReport& report) {
  const FreedLate& late = report.freed_late;
  if (late.tensors.empty()) return {};
  return fmt::format("{} per bank in {} that nothing used any more", size_text(late.bytes_per_bank),
                     counted(late.tensors.size(), "tensor"));
}

std::string freed_late_text(const ProfileView& view, const FailureReport& report) {
  const FreedLate& late = report.freed_late;
  if (late.tensors.empty()) return {};
  std::string text = freed_late_sum(report) + ": ";
  for (std::size_t i = 0; i < std::min(kNamed, late.tensors.size()); ++i) {
    if (i > 0) text += "; ";
    text +=
        tensor_words(view, report.rank, late.tensors[i].buffer) + idle_words(view, report, late.tensors[i]);
  }
  if (late.tensors.size() > kNamed) text += fmt::format("; and {} more", late.tensors.size() - kNamed);
  return text;
}

std::string run_growth_text(const ProfileView& view, const FailureReport& report) {
  const RunGrowth& grew = report.grew;
  if (grew.runs == 0) return {};
  std::string text = fmt::format(
      "{} per bank from {} to {} of {}, in {} of {}", size_text(grew.bytes_per_bank()),
      run_words(view, report, grew.from_instance), run_words(view, report, grew.to_instance),
      in_sentence(view.names,
                  graph_label(view, view.rank_profile(report.rank).programs[grew.to_instance].graph)),
      count_text(grew.grown_runs), counted(grew.runs - 2, "step"));
  if (grew.left.empty()) return text + ": in no tensor that the text names";
  text += ": ";
  for (std::size_t i = 0; i < std::min(kNamed, grew.left.size()); ++i) {
    const LeftBehind& left = grew.left[i];
    if (i > 0) text += ", ";
    text += fmt::format("{}{}", left.tensors > 1 ? count_text(left.tensors) + " x " : "",
                        tensor_words(view, report.rank, left.example));
  }
  if (grew.left.size() > kNamed) text += fmt::format(", and {} more", grew.left.size() - kNamed);
  return text;
}

}  // namespace ttscope::mem
