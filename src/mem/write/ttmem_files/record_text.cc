#include "mem/write/ttmem_files/record_text.h"

#include "mem/write/ttmem_files/files.h"

namespace ttscope::mem {

RecordText::RecordText(const RuntimeTrace& trace, const MemoryProfile& profile, std::string_view indent)
    : trace_(trace), profile_(profile), indent_(indent), quoter_(kTtmemStyle) {}

void RecordText::use_rank(std::uint32_t rank) {
  rank_ = rank;
  made_ = false;
}

std::string_view RecordText::const_eval(const ExecutedOp& op) {
  use_instance(op.instance);
  return const_eval_;
}

std::string_view RecordText::program(const ExecutedOp& op) {
  use_instance(op.instance);
  return program_;
}

void RecordText::append_field(std::string& to, std::string_view name, std::string_view json) {
  to.append(",").append(indent_).append("\"").append(name).append("\": ").append(json);
}

/// The innermost const-eval program around an op: helpers that it calls belong to it.
std::uint32_t RecordText::const_eval_instance(std::uint32_t instance) const {
  const auto& programs = trace_.ranks[rank_].programs;
  const auto& summaries = profile_.ranks[rank_].programs;
  while (instance < programs.size() && instance < summaries.size()) {
    if (summaries[instance].const_eval) return instance;
    if (programs[instance].parent != kNone && programs[instance].parent >= instance) break;
    instance = programs[instance].parent;
  }
  return kNone;
}

void RecordText::use_instance(std::uint32_t instance) {
  if (made_ && instance == instance_) return;
  made_ = true;
  instance_ = instance;
  const RankTrace& rank = trace_.ranks[rank_];
  const auto name_json = [&](std::uint32_t id) {
    const bool named = id < rank.programs.size() && rank.programs[id].name != kNone;
    return named ? quoter_.quoted(trace_.names[rank.programs[id].name]) : std::string_view("null");
  };
  const auto& summaries = profile_.ranks[rank_].programs;
  const std::uint32_t const_eval = const_eval_instance(instance);
  const std::uint32_t caller = const_eval == kNone ? kNone : rank.programs[const_eval].caller_op;
  const_eval_.clear();
  append_field(const_eval_, "const_eval_graph", name_json(const_eval));
  append_field(const_eval_, "const_eval_cache_miss",
               caller < rank.ops.size() && rank.ops[caller].cache_miss ? "true" : "false");
  program_.clear();
  append_field(program_, "rank", std::to_string(rank.number));
  if (trace_.files.size() > 1) append_field(program_, "file", std::to_string(rank.file));
  append_field(program_, "program", name_json(instance));
  append_field(program_, "program_instance", instance == kNone ? "null" : std::to_string(instance));
  append_field(program_, "run",
               instance < summaries.size() ? std::to_string(summaries[instance].run) : "null");
}

}  // namespace ttscope::mem
