// Its header is public: include/ttscope.
#include <ttscope/memory_usage_tracker.h>

#include <cstdio>

#include "sim/tracker/session.h"

namespace ttscope::MemoryUsageTracker {
namespace {

using tracker::Session;

const graph::Rules& rules_of(Figures figures) {
  return figures == Figures::kOriginal ? graph::kCompatRules : graph::kCorrectedRules;
}

DRAMUsage public_figures(const graph::DramUsage& dram) {
  return {dram.peak, dram.total_allocations, dram.total_deallocations};
}

PeakMemoryUsagePerCore public_figures(const graph::L1Usage& l1) {
  return {l1.peak_cb, l1.peak_l1, l1.peak_dataflow_buffer, l1.peak_scratchpad, l1.peak_total};
}

}  // namespace

ScopeGuard begin_capture(RunMode mode) {
  Session::global().begin(mode);
  return ScopeGuard([] { Session::global().end_and_clear(); });
}

void end_capture(const std::string& name) { Session::global().end(name); }
void snapshot(const std::string& name) { Session::global().snapshot(name); }
void clear() { Session::global().clear(); }

DRAMUsage get_dram_usage(const std::string& name) {
  return public_figures(Session::global().dram_usage(name));
}

PeakMemoryUsagePerCore get_l1_usage(const std::string& name, Figures figures) {
  return public_figures(Session::global().l1_usage(name, rules_of(figures)));
}

std::vector<std::pair<std::string, DRAMUsage>> get_dram_usage_all() {
  std::vector<std::pair<std::string, DRAMUsage>> all;
  for (const auto& segment : Session::global().figures(graph::kCorrectedRules)) {
    all.emplace_back(segment.name, public_figures(segment.dram));
  }
  return all;
}

std::vector<std::pair<std::string, PeakMemoryUsagePerCore>> get_l1_usage_all(Figures figures) {
  std::vector<std::pair<std::string, PeakMemoryUsagePerCore>> all;
  for (const auto& segment : Session::global().figures(rules_of(figures))) {
    all.emplace_back(segment.name, public_figures(segment.l1));
  }
  return all;
}

std::vector<std::string> get_trace_names() { return Session::global().names(); }
std::vector<std::string> notes() { return Session::global().notes(); }
std::string memory_usage_text(Figures figures) { return Session::global().summary(rules_of(figures)); }

// The one place of the library that prints: that it does is what this function is for.
void print_memory_usage(Figures figures) {
  const std::string text = memory_usage_text(figures);
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

void save(const std::string& path) { Session::global().save(path); }

}  // namespace ttscope::MemoryUsageTracker
