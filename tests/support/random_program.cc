#include "support/random_program.h"

#include <fmt/format.h>

#include <algorithm>

#include "support/log_text.h"

namespace ttscope::testing {
namespace {

constexpr std::int64_t kTileBytes = 2048;
constexpr std::int64_t kDramBanks = 12;

/// A tensor type with what the allocator takes for it.
struct Kind {
  std::string text;
  int memory = 0;
  std::int64_t bytes = 0;
};

/// Sizes are far above the resolution of the log, and differ from each other by more than it.
Kind dram_kind(int size) {
  const std::int64_t columns = 32 * 12 * (3 + size);
  return {dram_tensor(256, columns), 0, 8 * (columns / 32) / kDramBanks * kTileBytes};
}

Kind l1_kind(int size) {
  const std::int64_t columns = 32 * (3 + size);
  return {l1_sharded_tensor(32 * 8, columns, 8), 1, columns / 32 * kTileBytes};
}

struct Step {
  enum class Kind { kOp, kDeallocate, kLoadCached, kGetDevice };
  Kind kind = Kind::kOp;
  std::string text = {};
  std::string op_type = {};
  std::string callee = {};
  BankBytes made{};  ///< by the op; for load_cached: what its nested program leaves
  BankBytes freed{};
  bool retained = false;
  std::vector<Step> nested = {};
};

class Simulator {
 public:
  explicit Simulator(const RandomRunOptions& options)
      : options_(options), dice_(options.seed), log_(LogStyle{.colors = options.colors}) {
    build_graph();
  }

  RandomRun run() {
    for (int run = 0; run < options_.runs; ++run) {
      const bool first = run == 0;
      add(first ? arguments_ : BankBytes{},
          first ? BankBytes{} : output_);  // moved in; the last output is dropped
      log_.start("main");
      for (const Step& step : steps_) execute(step, first);
      log_.finish("main");
    }
    split_lines();
    return std::move(out_);
  }

 private:
  struct Value {
    std::string name;
    Kind kind;
    bool kept = false;  ///< an argument or const-eval result: its deallocate does nothing
  };

  void build_graph() {
    for (int i = 0; i < 2 + dice_.below(3); ++i) {
      live_.push_back({fmt::format("%arg{}", i), dram_kind(dice_.below(8)), true});
      arguments_[0] += live_.back().kind.bytes;
    }
    steps_.push_back(
        {Step::Kind::kGetDevice,
         "%0 = \"ttnn.get_device\"() <{mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device",
         "GetDeviceOp"});
    const int cached = dice_.below(3);
    for (int i = 0; i < cached; ++i) add_load_cached(i);
    for (int i = 0; i < options_.steps; ++i) add_step();
    // The last value made stays as the output, so there must be one.
    add_compute("ttnn.add", "EltwiseBinaryOp", true);
    const Value output = live_.back();
    live_.pop_back();
    output_[static_cast<std::size_t>(output.kind.memory)] = output.kind.bytes;
    while (!live_.empty()) add_deallocate(live_.size() - 1);
  }

  void add_load_cached(int number) {
    const Value argument = live_[static_cast<std::size_t>(dice_.below(static_cast<int>(arguments_count())))];
    const Kind middle = dram_kind(dice_.below(8));
    const Kind result = dram_kind(dice_.below(8));
    Step step;
    step.kind = Step::Kind::kLoadCached;
    step.callee = fmt::format("main_const_eval_{}", number);
    const std::string name = new_name();
    step.text = load_cached_text(name, step.callee, argument.name, argument.kind.text, result.text);
    step.op_type = "LoadCachedOp";
    Step permute{Step::Kind::kOp, op_text("%0", "ttnn.permute", "%arg0", argument.kind.text, middle.text),
                 "PermuteOp"};
    permute.made[0] = middle.bytes;
    Step typecast{Step::Kind::kOp,
                  op_text("%1", "ttnn.matmul", "%0, %0", middle.text + ", " + middle.text, result.text),
                  "MatmulOp"};
    typecast.made[0] = result.bytes;
    Step free_middle{Step::Kind::kDeallocate, deallocate_text("%0", middle.text), "DeallocateOp"};
    free_middle.freed[0] = middle.bytes;
    step.nested = {permute, typecast, free_middle};
    steps_.push_back(step);
    live_.push_back({name, result, true});
  }

  std::size_t arguments_count() const {
    std::size_t count = 0;
    while (count < live_.size() && live_[count].name.substr(0, 4) == "%arg") ++count;
    return count;
  }

  void add_step() {
    switch (dice_.below(8)) {
      case 0:
      case 1:
        if (live_.size() > 1)
          add_deallocate(static_cast<std::size_t>(dice_.below(static_cast<int>(live_.size()))));
        return;
      case 2:
        return add_in_place();
      case 3:
        return add_two_results();
      case 4:
        return add_compute("ttnn.matmul", "MatmulOp", false);
      default:
        return add_compute("ttnn.add", "EltwiseBinaryOp", false);
    }
  }

  const Value& pick() { return live_[static_cast<std::size_t>(dice_.below(static_cast<int>(live_.size())))]; }
  std::string new_name() { return fmt::format("%{}", ++last_name_); }

  void add_compute(std::string_view name, std::string_view op_type, bool in_dram) {
    if (live_.empty()) live_.push_back({"%arg0", dram_kind(0), true});
    const Value a = pick();
    const Value b = pick();
    const Kind result = in_dram || !dice_.one_in(3) ? dram_kind(dice_.below(8)) : l1_kind(dice_.below(4));
    const std::string result_name = new_name();
    Step step{
        Step::Kind::kOp,
        op_text(result_name, name, a.name + ", " + b.name, a.kind.text + ", " + b.kind.text, result.text),
        std::string(op_type)};
    step.made[static_cast<std::size_t>(result.memory)] = result.bytes;
    steps_.push_back(step);
    live_.push_back({result_name, result, false});
  }

  void add_two_results() {
    if (live_.empty()) return;
    const Value a = pick();
    const Kind first = dram_kind(dice_.below(8));
    const Kind second = dram_kind(dice_.below(8));
    const std::string name = new_name();
    Step step{Step::Kind::kOp,
              op_text(name + ":2", "ttnn.sort", a.name, a.kind.text,
                      fmt::format("({}, {})", first.text, second.text)),
              "SortOp"};
    step.made[0] = first.bytes + second.bytes;
    steps_.push_back(step);
    live_.push_back({name + "#0", first, false});
    live_.push_back({name + "#1", second, false});
  }

  void add_in_place() {
    if (live_.empty()) return;
    const Value a = pick();
    const Value b = pick();
    steps_.push_back(
        {Step::Kind::kOp,
         op_text("", "ttnn.update_cache", a.name + ", " + b.name, a.kind.text + ", " + b.kind.text, "()"),
         "UpdateCacheOp"});
  }

  void add_deallocate(std::size_t which) {
    const Value value = live_[which];
    live_.erase(live_.begin() + static_cast<std::ptrdiff_t>(which));
    Step step{Step::Kind::kDeallocate, deallocate_text(value.name, value.kind.text), "DeallocateOp"};
    step.retained = value.kept;
    if (!value.kept) step.freed[static_cast<std::size_t>(value.kind.memory)] = value.kind.bytes;
    steps_.push_back(step);
  }

  void add(const BankBytes& made, const BankBytes& freed) {
    for (std::size_t m = 0; m < made.size(); ++m) {
      state_[m] += made[m] - freed[m];
      out_.peak[m] = std::max(out_.peak[m], state_[m]);
    }
  }

  void execute(const Step& step, bool first_run) {
    log_.op(step.text, fmt::format("\"{}.{}\"", step.op_type, out_.ops.size() % 7));
    if (options_.memory_lines) log_.block(step.op_type, state_[0], state_[1]);
    out_.ops.push_back({{step.made[0] - step.freed[0], step.made[1] - step.freed[1]}, step.retained});
    add(step.made, step.freed);
    if (step.retained) log_.retained();
    if (step.kind != Step::Kind::kLoadCached) return;
    log_.cache_hash(step.callee, fmt::format("{:064x}", step.text.size()));
    if (!first_run) {
      log_.cache_hit(step.callee);
      return;
    }
    log_.cache_miss(step.callee).start(step.callee);
    for (const Step& nested : step.nested) execute(nested, first_run);
    log_.finish(step.callee).message("Always", "DEBUG", "executed sub-func: " + step.callee);
  }

  void split_lines() {
    const std::string& text = log_.text();
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      out_.lines.push_back(text.substr(at, end - at));
      at = end + 1;
    }
  }

  RandomRunOptions options_;
  Dice dice_;
  LogText log_;
  std::vector<Step> steps_;
  std::vector<Value> live_;  ///< while the graph is built
  int last_name_ = 0;
  BankBytes arguments_{};
  BankBytes output_{};
  BankBytes state_{};
  RandomRun out_;
};

}  // namespace

RandomRun make_random_run(const RandomRunOptions& options) { return Simulator(options).run(); }

}  // namespace ttscope::testing
