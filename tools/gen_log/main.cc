#include <array>
#include <cstdio>
#include <exception>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <vector>

#include "json_text.h"
#include "module_text.h"
#include "options.h"
#include "session_text.h"
#include "simulator.h"

namespace ttscope::gen_log {

namespace {

struct FileCloser {
  void operator()(std::FILE* file) const {
    if (file != stdout) std::fclose(file);
  }
};
using File = std::unique_ptr<std::FILE, FileCloser>;

File open_for_writing(const std::string& path) {
  File file(path.empty() ? stdout : std::fopen(path.c_str(), "wb"));
  if (!file) throw std::runtime_error("cannot write " + path);
  constexpr std::size_t kBufferBytes = 1 << 20;
  std::setvbuf(file.get(), nullptr, _IOFBF, kBufferBytes);
  return file;
}

/// One process of the job: its model, its log, what really happened to it.
struct Rank {
  std::unique_ptr<Workload> workload;
  std::unique_ptr<RankLog> log;
  std::unique_ptr<Truth> truth;
  std::unique_ptr<Simulator> simulator;
};

/// The DRAM arena with which --oom fails: found by a run that has room enough and prints nothing.
std::int64_t failing_arena(const Options& options, const Device& device, const RunPlan& plan) {
  const auto workload = build_workload(model_shape(options, 0), device);
  RankLog unused({}, device, plan.dram_bytes_per_bank);
  Simulator probe(*workload, device, plan, {unused, nullptr, nullptr});
  while (probe.step()) unused.discard();
  if (probe.ran_out_of_memory()) return plan.dram_bytes_per_bank;
  const std::optional<std::int64_t> bytes = probe.failing_arena_bytes();
  if (!bytes) throw std::runtime_error("no op allocates DRAM");
  return *bytes;
}

/// Arranges a failure by what a run that has room enough and prints nothing does.
void arrange_failure(const Options& options, const Device& device, RunPlan& plan) {
  const auto workload = build_workload(model_shape(options, 0), device);
  RankLog unused({}, device, plan.dram_bytes_per_bank);
  Simulator probe(*workload, device, plan, {unused, nullptr, nullptr});
  while (probe.step()) unused.discard();
  if (probe.ran_out_of_memory() || !probe.arrange(*failure_named(options.fail), plan))
    throw std::runtime_error("no op of this model can fail by " + options.fail + ": try other sizes");
}

Rank make_rank(const Options& options, std::int64_t number, const RunPlan& plan, const LogOutput& output) {
  const Device& device = *find_device(options.device);
  LineStyle style;
  if (options.ranks > 1) style.rank_tag = "[1," + std::to_string(number) + "]<stdout>: ";
  style.ansi = !options.plain;
  style.crlf = options.crlf;
  style.thread = "7F" + std::to_string(3 + number % 7) + "A1C40";
  Rank rank;
  rank.workload = build_workload(model_shape(options, number), device);
  Device shown = device;
  shown.l1_bytes_per_bank = plan.l1_bytes_per_bank;
  rank.log = std::make_unique<RankLog>(std::move(style), shown, plan.dram_bytes_per_bank);
  if (!options.truth.empty()) rank.truth = std::make_unique<Truth>(number, device, plan.dram_bytes_per_bank);
  if (rank.truth && !options.fail.empty()) rank.truth->expect_failure(plan.l1_bytes_per_bank);
  rank.simulator = std::make_unique<Simulator>(*rank.workload, device, plan,
                                               Simulator::Sinks{*rank.log, rank.truth.get(), &output});
  print_session_start(*rank.log, device, plan.print.ops);
  if (!options.no_modules) {
    print_modules(*rank.log, *rank.workload, device,
                  options.compact ? ModuleStages::kFew : ModuleStages::kAll);
  }
  return rank;
}

/// Moves `count` lines of a rank to the output; false when the rank has no more.
bool emit(Rank& rank, std::size_t count, LogOutput& output) {
  while (count > 0) {
    while (rank.log->empty()) {
      if (!rank.simulator->step()) return false;
    }
    count -= rank.log->take(count, output, rank.truth.get());
  }
  return true;
}

void emit_all(std::vector<Rank>& ranks, std::uint64_t seed, LogOutput& output) {
  constexpr std::array<std::size_t, 7> kBursts = {1, 1, 2, 3, 5, 8, 20};
  std::mt19937_64 random(seed);
  std::vector<Rank*> running;
  for (Rank& rank : ranks) running.push_back(&rank);
  while (!running.empty() && !output.failed()) {
    const std::size_t chosen = running.size() == 1 ? 0 : random() % running.size();
    const std::size_t lines = ranks.size() == 1 ? 64 : kBursts[random() % kBursts.size()];
    if (!emit(*running[chosen], lines, output))
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(chosen));
  }
}

void write_truth(const Options& options, const RunPlan& plan, std::int64_t lines, std::vector<Rank>& ranks) {
  const Device& device = *find_device(options.device);
  const auto pair = [](std::int64_t banks, std::int64_t bytes) {
    return "[" + std::to_string(banks) + ", " + std::to_string(bytes) + "]";
  };
  JsonObject facts;
  facts.string("arch", device.option)
      .raw("dram", pair(device.dram_banks, plan.dram_bytes_per_bank))
      .raw("l1", pair(device.l1_banks, device.l1_bytes_per_bank))
      .number("align", device.alignment);
  const File file = open_for_writing(options.truth);
  std::fprintf(file.get(),
               "{\"source\": \"ttscope-gen-log\", \"options\": %s, \"device\": %s, \"lines\": %lld, "
               "\"state_fields\": [\"allocated\", \"free\", \"largest\"], \"ranks\": [\n",
               options_json(options).c_str(), facts.text().c_str(), static_cast<long long>(lines));
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (i > 0) std::fputs(",\n", file.get());
    ranks[i].truth->write(file.get());
  }
  std::fputs("\n]}\n", file.get());
  if (std::ferror(file.get()) != 0) throw std::runtime_error("cannot write " + options.truth);
}

int generate(const Options& options) {
  const Device& device = *find_device(options.device);
  RunPlan plan = run_plan(options, device);
  if (options.out_of_memory) plan.dram_bytes_per_bank = failing_arena(options, device, plan);
  if (!options.fail.empty()) arrange_failure(options, device, plan);
  const File file = open_for_writing(options.output);
  LogOutput output(file.get());
  std::vector<Rank> ranks;
  for (std::int64_t i = 0; i < options.ranks; ++i) ranks.push_back(make_rank(options, i, plan, output));
  emit_all(ranks, static_cast<std::uint64_t>(options.seed), output);
  if (output.failed() || std::fflush(file.get()) != 0) {
    throw std::runtime_error("cannot write " +
                             (options.output.empty() ? "to standard output" : options.output));
  }
  if (!options.truth.empty()) write_truth(options, plan, output.lines(), ranks);
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    std::fprintf(stderr, "rank %zu: %lld ops%s\n", i, static_cast<long long>(ranks[i].simulator->op_count()),
                 ranks[i].simulator->ran_out_of_memory() ? ", ran out of memory" : "");
  }
  return 0;
}

}  // namespace

}  // namespace ttscope::gen_log

int main(int argc, char** argv) {
  using namespace ttscope::gen_log;
  const ParsedOptions parsed = parse_options(argc, argv);
  if (!parsed.error.empty()) {
    std::fprintf(stderr, "ttscope-gen-log: %s\n", parsed.error.c_str());
    return 2;
  }
  if (parsed.options.help) {
    std::fputs(help_text().data(), stdout);
    return 0;
  }
  try {
    return generate(parsed.options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ttscope-gen-log: %s\n", error.what());
    return 1;
  }
}
