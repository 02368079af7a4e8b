#include "support/trace_text.h"

#include <fmt/format.h>

#include <iterator>

namespace ttscope::testing {
namespace {

class TraceText {
 public:
  explicit TraceText(const mem::RuntimeLog& log) : log_(log) {}

  std::string write() {
    put("files {} bytes {}\n", log_.files.size(), log_.input_bytes);
    for (const std::uint64_t lines : log_.file_lines) put("lines {}\n", lines);
    for (const mem::RankLog& rank : log_.ranks) write_rank(rank);
    for (const mem::ModuleDump& module : log_.modules) write_module(module);
    for (const mem::SystemDescription& system : log_.systems)
      put("system {} {}\n", system.arch, system.dram_channels);
    for (std::size_t p = 0; p < mem::kLogProblemCount; ++p) write_problem(static_cast<mem::LogProblem>(p));
    for (const std::string& warning : log_.warnings) put("warning {}\n", warning);
    return std::move(out_);
  }

 private:
  template <typename... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  std::string_view name(std::uint32_t id) const { return id == kNone ? "-" : log_.names[id]; }

  void write_rank(const mem::RankLog& rank) {
    put("rank {} tag '{}' file {}\n", rank.number, rank.tag, rank.file);
    for (const mem::ExecutedOp& op : rank.ops) write_op(op);
    for (const mem::MemoryBlock& block : rank.blocks) write_block(block);
    for (const mem::ProgramInstance& p : rank.programs) {
      put("program {} parent {} caller {} ops [{}, {}) lines {} {}\n", name(p.name), p.parent, p.caller_op,
          p.first_op, p.end_op, p.start_line, p.end_line);
    }
    for (const mem::ProgramEvent& e : rank.events)
      put("event {} {} {}\n", e.before_op, e.instance, e.is_start);
    for (const auto& [op, hash] : rank.cache_keys) put("cache key {} {}\n", op, name(hash));
    for (const std::uint32_t line : rank.output_markers) put("output marker {}\n", line);
    for (const mem::OutOfMemory& f : rank.failures) {
      put("failure {} {} {} {} {} {} {} {} {}\n", f.line, f.last_op, mem::name_of(f.memory),
          f.requested_bytes, f.banks, f.per_bank_bytes, f.bank_size_bytes, f.free_bytes,
          f.largest_free_bytes);
    }
  }

  void write_op(const mem::ExecutedOp& op) {
    put("op line {} instance {} block {} type {} flags {}{}{}\n", op.line, op.instance, op.block,
        name(op.op_type), op.retained, op.cache_hit, op.cache_miss);
    if (op.loc != kNone) put("  loc {}\n", log_.locs[op.loc]);
    const mem::OpText* text = log_.text_of(op);
    if (text == nullptr) return;
    put("  text {}\n  {} @{} role {} cut {}\n", text->text, name(text->name), name(text->callee),
        static_cast<int>(text->role), text->cut);
    for (const mem::IdRange range : {text->results, text->operands}) {
      for (const std::uint32_t id : log_.ids(range)) put("  name {}\n", name(id));
    }
    for (const mem::IdRange range : {text->input_types, text->result_types}) {
      for (const std::uint32_t id : log_.ids(range)) {
        put("  type {} {}\n", log_.type_texts[id], log_.types[id].padded_bytes);
      }
    }
  }

  void write_block(const mem::MemoryBlock& block) {
    put("block before {} line {} moment {} present {}\n", block.before_op, block.line,
        static_cast<int>(block.moment), block.present);
    const mem::Geometry& geometry = log_.geometries[block.geometry];
    for (std::size_t m = 0; m < mem::kMemoryCount; ++m) {
      put("  {} x {} MiB/1000: {} {} {} line {}\n", geometry.banks[m], geometry.total[m], block.allocated[m],
          block.free[m], block.largest_free[m], block.view_line[m]);
    }
  }

  void write_module(const mem::ModuleDump& module) {
    put("module {} rank {} line {} complete {}\n", mem::name_of(module.stage), module.rank, module.line,
        module.complete);
    for (const std::string_view line : module.lines) put("  | {}\n", line);
    for (const mem::FunctionInfo& function : module.functions) {
      put("  function {} const-eval {}\n", function.name, function.is_const_eval);
      for (const mem::ArgumentInfo& a : function.arguments) {
        put("    argument {} '{}' role {} type {}\n", name(a.ssa), a.model_name, mem::name_of(a.role),
            a.type == kNone ? "-" : log_.type_texts[a.type]);
      }
      for (const auto& [callee, operands] : function.calls)
        put("    calls {} with {}\n", callee, operands.size());
      for (const std::uint32_t id : function.returned) put("    returns {}\n", name(id));
    }
  }

  void write_problem(mem::LogProblem problem) {
    if (log_.problems.count(problem) == 0) return;
    put("problem {} {}\n", info_of(problem).key, log_.problems.count(problem));
    for (const Place place : log_.problems.places(problem)) put("  at {}:{}\n", place.file, place.line);
  }

  const mem::RuntimeLog& log_;
  std::string out_;
};

}  // namespace

std::string runtime_log_text(const mem::RuntimeLog& log) { return TraceText(log).write(); }

}  // namespace ttscope::testing
