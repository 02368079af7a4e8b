// Declared in tensor_json.h: who held the memory at a failure, and what of it need not have been there.
#include "mem/write/json/document.h"
#include "mem/write/json/tensor_json.h"
#include "mem/write/words/candidate_text.h"
#include "mem/write/words/culprit_text.h"

namespace ttscope::mem {
namespace {

using MaybeText = std::optional<std::string_view>;
constexpr std::size_t kMostRows = 100;

void write_candidates(JsonWriter& json, const ProfileView& view, const FailureReport* report) {
  json.key("candidates");
  json.begin_array();
  for (const TensorCandidate& candidate :
       report == nullptr ? std::vector<TensorCandidate>() : report->candidates) {
    const std::string_view origin = origin_name(view.profile, candidate);
    json.begin_object();
    write_shape(json, "shape", candidate.shape);
    json.field("dtype", candidate.dtype);
    json.field("layout", std::string_view(candidate.tiled ? "tile" : "row_major"));
    json.field("padding_factor", rounded(candidate.padding_factor, 1000));
    json.field("source_line", line_or_null(candidate.source_line));
    json.field("name", candidate.name.empty() ? MaybeText() : MaybeText(candidate.name));
    json.field("origin", origin.empty() ? MaybeText() : MaybeText(origin));
    json.field("reason", name_of(candidate.reason));
    json.field("text", candidate_text(view.profile, candidate));
    json.end_object();
  }
  json.end_array();
}

void write_idle(JsonWriter& json, const ProfileView& view, const FailureReport& report,
                const IdleTensor& idle) {
  const auto& ops = view.rank_trace(report.rank).ops;
  json.begin_object();
  write_tensor_members(json, view, report.rank, idle.buffer);
  json.field("last_used_line",
             idle.last_op < ops.size() ? line_or_null(ops[idle.last_op].line) : std::nullopt);
  json.field("idle_ops", idle.idle_ops);
  json.field("proof", name_of(idle.proof));
  json.field("freed_line",
             line_or_null(idle.freed_by < ops.size() ? ops[idle.freed_by].line : idle.freed_line));
  json.end_object();
}

void write_freed_late(JsonWriter& json, const ProfileView& view, const FailureReport* report) {
  json.key("freed_late");
  if (report == nullptr || report->freed_late.tensors.empty()) return json.value(nullptr);
  const FreedLate& late = report->freed_late;
  json.begin_object();
  json.field("text", freed_late_text(view, *report));
  json.field("bytes_per_bank", late.bytes_per_bank);
  json.field("tensor_count", late.tensors.size());
  json.key("tensors");
  json.begin_array();
  for (std::size_t i = 0; i < std::min(kMostRows, late.tensors.size()); ++i)
    write_idle(json, view, *report, late.tensors[i]);
  json.end_array();
  json.end_object();
}

void write_left(JsonWriter& json, const ProfileView& view, const FailureReport& report,
                const LeftBehind& left) {
  json.begin_object();
  write_tensor_members(json, view, report.rank, left.example);
  json.field("tensors", left.tensors);
  json.field("all_bytes_per_bank", left.bytes_per_bank);
  json.field("producer_line", producer_line(view, report.rank, left.example));
  json.end_object();
}

void write_grew(JsonWriter& json, const ProfileView& view, const FailureReport* report) {
  json.key("grew");
  if (report == nullptr || report->grew.runs == 0) return json.value(nullptr);
  const RunGrowth& grew = report->grew;
  const auto& programs = view.rank_trace(report->rank).programs;
  json.begin_object();
  json.field("text", run_growth_text(view, *report));
  json.field("graph", graph_label(view, view.rank_profile(report->rank).programs[grew.to_instance].graph));
  json.field("runs", grew.runs);
  json.field("grown_runs", grew.grown_runs);
  json.field("from_line", line_or_null(programs[grew.from_instance].start_line));
  json.field("to_line", line_or_null(programs[grew.to_instance].start_line));
  json.field("from_bytes_per_bank", grew.from_bytes_per_bank);
  json.field("to_bytes_per_bank", grew.to_bytes_per_bank);
  json.field("bytes_per_bank", grew.bytes_per_bank());
  json.field("confidence", name_of(grew.confidence));
  json.key("left");
  json.begin_array();
  for (std::size_t i = 0; i < std::min(kMostRows, grew.left.size()); ++i)
    write_left(json, view, *report, grew.left[i]);
  json.end_array();
  json.end_object();
}

}  // namespace

void write_tensor_members(JsonWriter& json, const ProfileView& view, std::uint32_t rank,
                          std::uint32_t buffer) {
  const RankProfile& profile = view.rank_profile(rank);
  const Buffer& tensor = profile.buffers[buffer];
  const TensorType& type = type_of(view.trace, profile, tensor);
  json.field("name", buffer_label(view, rank, tensor));
  json.field("kind", name_of(tensor.kind));
  write_shape(json, "shape", type.shape);
  json.field("dtype", type.dtype);
  json.field("bytes_per_bank", tensor.bytes_per_bank);
}

std::optional<std::uint32_t> producer_line(const ProfileView& view, std::uint32_t rank,
                                           std::uint32_t buffer) {
  const auto& ops = view.rank_trace(rank).ops;
  const std::uint32_t op = view.rank_profile(rank).buffers[buffer].producer_op;
  return op < ops.size() ? line_or_null(ops[op].line) : std::nullopt;
}

void write_culprits(JsonWriter& json, const ProfileView& view, const FailureReport* report) {
  write_candidates(json, view, report);
  json.field("held_bytes_per_bank",
             report == nullptr ? std::nullopt : known_or_null(report->held_bytes_per_bank));
  json.key("holders");
  json.begin_array();
  for (const Holder& holder : report == nullptr ? std::vector<Holder>() : report->holders) {
    json.begin_object();
    json.field("kind", name_of(holder.kind));
    json.field("bytes_per_bank", holder.bytes_per_bank);
    json.field("tensors", holder.tensors);
    json.end_object();
  }
  json.end_array();
  write_freed_late(json, view, report);
  write_grew(json, view, report);
}

}  // namespace ttscope::mem
