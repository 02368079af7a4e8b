#include "mem/read/ttnn_module/module_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>

#include "mem/read/ttnn_module/op_statement.h"

namespace ttscope::mem {
namespace {

constexpr std::size_t kDeepestCall = 32;  // real programs nest three or four deep
/// Functions that call each other twice and more must not run without bound: ops against those of the text.
constexpr std::size_t kMostRepeats = 64;
constexpr std::size_t kFewestOps = 4096;

class ModuleRun {
 public:
  ModuleRun(const CompiledModule& module, const ModuleRunTarget& target)
      : module_(module),
        trace_(target.trace),
        tables_(target.tables),
        rank_(target.rank),
        const_eval_(target.const_eval) {
    std::size_t ops = 0;
    for (const CompiledFunction& function : module.functions) {
      ops += function.ops.size();
      if (function.has_body) functions_.emplace(tables_.name(function.name), &function);
    }
    most_ops_ = rank_.ops.size() + std::max(kFewestOps, ops * kMostRepeats);
  }

  void run() {
    for (const CompiledFunction* function : programs()) {
      ++const_eval_.programs;
      run_function(*function, kNone, kNone);
    }
  }

 private:
  // -- which functions are programs

  /// Those that nothing in the module calls. A text that was cut before its main function has only others.
  std::vector<const CompiledFunction*> programs() const {
    const std::set<std::uint32_t> called = callees();
    std::vector<const CompiledFunction*> programs;
    for (const FunctionUse wanted : {FunctionUse::kProgram, FunctionUse::kCalled, FunctionUse::kConstEval}) {
      for (const CompiledFunction& function : module_.functions) {
        if (function.has_body && function.use == wanted && called.count(tables_.name(function.name)) == 0)
          programs.push_back(&function);
      }
      if (!programs.empty()) break;
    }
    return programs;
  }

  std::set<std::uint32_t> callees() const {
    std::set<std::uint32_t> called;
    for (const CompiledFunction& function : module_.functions) {
      for (const CompiledOp& op : function.ops) {
        const OpText& text = trace_.op_texts[op.text];
        if (text.callee != kNone) called.insert(text.callee);
        if (text.role != OpRole::kCall) continue;
        for (const std::string_view key :
             {"allocate_slots_callee = @", "capture_callee = @", "execute_callee = @"}) {
          if (const std::string_view name = symbol_behind(text.text, key); !name.empty())
            called.insert(tables_.name(name));
        }
      }
    }
    return called;
  }

  // -- running them

  std::uint32_t op_count() const { return static_cast<std::uint32_t>(rank_.ops.size()); }

  void run_function(const CompiledFunction& function, std::uint32_t parent, std::uint32_t caller_op) {
    if (depth_ >= kDeepestCall) {
      trace_.problems.add(LogProblem::kProgramsTooDeep, {rank_.file, function.line});
      return;
    }
    const auto instance = static_cast<std::uint32_t>(rank_.programs.size());
    ProgramInstance program;
    program.name = tables_.name(function.name);
    program.parent = parent;
    program.caller_op = caller_op;
    program.first_op = op_count();
    program.start_line = function.line;
    program.end_line = function.end_line;
    program.returned = function.returned;
    rank_.programs.push_back(program);
    rank_.events.push_back({op_count(), instance, true});
    ++depth_;
    for (const CompiledOp& op : function.ops) {
      if (rank_.ops.size() >= most_ops_) break;
      run_op(op, instance);
    }
    --depth_;
    rank_.programs[instance].end_op = op_count();
    rank_.events.push_back({op_count(), instance, false});
  }

  void run_op(const CompiledOp& compiled, std::uint32_t instance) {
    const OpText& text = trace_.op_texts[compiled.text];
    ExecutedOp op;
    op.text = compiled.text;
    op.loc = compiled.loc;
    op.line = compiled.line;
    op.instance = instance;
    if (text.role == OpRole::kDeallocate) op.retained = keeps_operand(text);
    const std::uint32_t index = op_count();
    if (text.role == OpRole::kLoadCached) {
      const std::string key = cache_key(text);
      op.cache_miss = const_eval_.keys.insert(key).second;
      op.cache_hit = !op.cache_miss;
      rank_.cache_keys.emplace_back(index, tables_.name(key));
    }
    rank_.ops.push_back(op);
    if (text.role == OpRole::kCall || op.cache_miss) run_callees(text, instance, index);
  }

  /// The runtime's cache knows a result by the text of its function and by the tensors that it was made from:
  /// what depends on no argument is shared among programs, since its cache is one for all of them.
  std::string cache_key(const OpText& text) const {
    const auto found = functions_.find(text.callee);
    std::string key =
        fmt::format("const-eval {:x}", found == functions_.end() ? 0 : body_hash(*found->second));
    const bool is_shared = text.operands.count == 0 && module_.shares_const_eval && found != functions_.end();
    if (is_shared) return key;
    const std::string_view callee = text.callee == kNone ? std::string_view{} : trace_.names[text.callee];
    key += fmt::format(" of program {} {}", const_eval_.programs, callee);
    for (const std::uint32_t operand : trace_.ids(text.operands)) key += fmt::format(" {}", operand);
    return key;
  }

  /// Names restart in every function, so that equal functions have equal texts.
  std::uint64_t body_hash(const CompiledFunction& function) const {
    std::string ids;
    for (const CompiledOp& op : function.ops) ids += fmt::format("{} ", op.text);
    for (const std::uint32_t name : trace_.ids(function.returned)) ids += fmt::format("%{} ", name);
    return hash_text(ids);
  }

  /// An argument of an outermost program belongs to who started it.
  bool keeps_operand(const OpText& text) const {
    if (!module_.retains_arguments || depth_ > 1) return false;
    const auto operands = trace_.ids(text.operands);
    return !operands.empty() && trace_.names[operands[0]].starts_with("%arg");
  }

  /// The first execution of a trace op allocates the slots, then captures; both stay.
  void run_callees(const OpText& text, std::uint32_t instance, std::uint32_t caller_op) {
    if (text.callee != kNone) return run_named(text.callee, instance, caller_op);
    for (const std::string_view key : {"allocate_slots_callee = @", "capture_callee = @"}) {
      const std::string_view name = symbol_behind(text.text, key);
      if (!name.empty()) run_named(tables_.name(name), instance, caller_op);
    }
  }

  void run_named(std::uint32_t name, std::uint32_t instance, std::uint32_t caller_op) {
    const auto found = functions_.find(name);
    if (found != functions_.end() && rank_.ops.size() < most_ops_)
      run_function(*found->second, instance, caller_op);
  }

  const CompiledModule& module_;
  RuntimeTrace& trace_;
  TraceTables& tables_;
  RankTrace& rank_;
  ConstEvalResults& const_eval_;
  std::unordered_map<std::uint32_t, const CompiledFunction*> functions_;  ///< by name
  std::size_t depth_ = 0;
  std::size_t most_ops_ = 0;
};

}  // namespace

void append_module_run(const CompiledModule& module, const ModuleRunTarget& target) {
  ModuleRun(module, target).run();
}

}  // namespace ttscope::mem
