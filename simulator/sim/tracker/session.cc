#include "sim/tracker/session.h"

#include <fmt/format.h>
#include <ttscope/memory_usage_tracker.h>

#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include "base/json_writer.h"
#include "base/writer.h"
#include "graph/analyze/figures.h"
#include "graph/write/outputs.h"
#include "sim/device/recorder.h"

namespace ttscope::tracker {
namespace {

class SimulatedSource final : public CaptureSource {
 public:
  Result<void> begin(RunMode mode) override {
    capture_ = sim::CaptureStack::current().begin(mode);
    return {};
  }
  Result<graph::GraphTrace> end() override { return sim::CaptureStack::current().end(capture_); }

 private:
  std::uint64_t capture_ = 0;
};

}  // namespace

std::unique_ptr<CaptureSource> make_simulated_source() { return std::make_unique<SimulatedSource>(); }

namespace {

std::runtime_error tracker_error(const std::string& what) {
  return std::runtime_error("MemoryUsageTracker: " + what);
}

template <typename T>
T value_or_throw(Result<T> result) {
  if (!result) throw tracker_error(result.error().message);
  return std::move(*result);
}

}  // namespace

Session& Session::global() {
  static Session session;
  return session;
}

void Session::set_source(std::function<std::unique_ptr<CaptureSource>()> make_source) {
  const Lock lock(mutex_);
  make_source_ = std::move(make_source);
}

void Session::begin(RunMode mode) {
  const Lock lock(mutex_);
  if (source_) throw tracker_error("Capture already active");
  auto source = make_source_();
  if (auto begun = source->begin(mode); !begun) throw tracker_error(begun.error().message);
  source_ = std::move(source);
  thread_ = std::this_thread::get_id();
  mode_ = mode;
}

void Session::check_thread() const {
  if (thread_ != std::this_thread::get_id()) {
    throw tracker_error("the capture was begun by another thread, which alone can take snapshots and end it");
  }
}

void Session::store(CaptureSource& source, const std::string& name) {
  graph::GraphTrace trace = value_or_throw(source.end());
  segments_.push_back({name, std::move(trace)});
  read_ = false;
}

void Session::end(const std::string& name) {
  const Lock lock(mutex_);
  if (!source_) return;
  check_thread();
  const std::unique_ptr<CaptureSource> ended = std::move(source_);
  store(*ended, name);
}

void Session::snapshot(const std::string& name) {
  const Lock lock(mutex_);
  if (!source_) throw tracker_error("Cannot snapshot - capture is not active");
  check_thread();
  store(*source_, name);
  if (auto begun = source_->begin(mode_); !begun) {
    source_.reset();
    throw tracker_error(begun.error().message);
  }
}

void Session::clear() {
  const Lock lock(mutex_);
  // A capture that is active would go on recording for nobody.
  if (source_ && thread_ == std::this_thread::get_id()) static_cast<void>(source_->end());
  source_.reset();
  segments_.clear();
  read_ = true;
  lost_note_.clear();
}

void Session::end_and_clear() {
  end("END_TRACE");
  std::string lost;
  {
    const Lock lock(mutex_);
    if (!read_ && !segments_.empty()) {
      std::vector<std::string> dropped;
      dropped.reserve(segments_.size());
      for (const graph::GraphSegment& segment : segments_) dropped.push_back(segment.name);
      lost = fmt::format("the guard of begin_capture went out of scope and cleared {} before {} read: {}",
                         dropped.size() == 1 ? "a segment" : fmt::format("{} segments", dropped.size()),
                         dropped.size() == 1 ? "it was" : "they were", fmt::join(dropped, ", "));
    }
  }
  clear();
  const Lock lock(mutex_);
  lost_note_ = std::move(lost);
}

const graph::GraphTrace& Session::find(const std::string& name) const {
  const graph::GraphSegment* found = nullptr;
  std::size_t count = 0;
  for (const graph::GraphSegment& segment : segments_) {
    if (segment.name != name) continue;
    found = &segment;
    ++count;
  }
  if (count == 0) throw tracker_error(fmt::format("Trace '{}' not found", name));
  if (count > 1) {
    throw tracker_error(
        fmt::format("Trace '{}' is ambiguous ({} segments share this name); use "
                    "get_dram_usage_all()/get_l1_usage_all() instead",
                    name, count));
  }
  return found->trace;
}

graph::DramUsage Session::dram_usage(const std::string& name) {
  const Lock lock(mutex_);
  read_ = true;
  return value_or_throw(graph::dram_usage(find(name)));
}

graph::L1Usage Session::l1_usage(const std::string& name, const graph::Rules& rules) {
  const Lock lock(mutex_);
  read_ = true;
  return value_or_throw(graph::l1_usage(find(name), rules));
}

std::vector<graph::SegmentFigures> Session::figures_locked(const graph::Rules& rules) const {
  std::vector<graph::SegmentFigures> all;
  for (const graph::GraphSegment& segment : segments_) {
    all.push_back({segment.name, value_or_throw(graph::dram_usage(segment.trace)),
                   value_or_throw(graph::l1_usage(segment.trace, rules))});
  }
  return all;
}

std::vector<graph::SegmentFigures> Session::figures(const graph::Rules& rules) {
  const Lock lock(mutex_);
  read_ = true;
  return figures_locked(rules);
}

std::vector<std::string> Session::names() const {
  const Lock lock(mutex_);
  std::vector<std::string> names;
  names.reserve(segments_.size());
  for (const graph::GraphSegment& segment : segments_) names.push_back(segment.name);
  return names;
}

std::vector<std::string> Session::notes_locked() const {
  std::vector<std::string> notes;
  if (!lost_note_.empty()) notes.push_back(lost_note_);
  for (const graph::GraphSegment& segment : segments_) {
    for (const graph::Difference& difference : graph::differences_from_original(segment.trace)) {
      notes.push_back(fmt::format("{}: {}", segment.name, graph::difference_text(difference)));
    }
  }
  return notes;
}

std::vector<std::string> Session::notes() const {
  const Lock lock(mutex_);
  return notes_locked();
}

std::string Session::summary(const graph::Rules& rules) {
  const Lock lock(mutex_);
  read_ = true;
  std::string text = graph::memory_usage_summary(figures_locked(rules));
  if (!rules.reports_differences) return text;
  for (const std::string& note : notes_locked()) text += fmt::format("Note: {}\n", note);
  return text;
}

void Session::save(const std::string& path) {
  const Lock lock(mutex_);
  read_ = true;
  auto out = value_or_throw(open_writer(path));
  JsonWriter json(*out, {.ascii = true});
  graph::write_graph_segments(json, segments_);
  out->write("\n");
  if (auto finished = out->finish(); !finished) throw tracker_error(finished.error().message);
}

}  // namespace ttscope::tracker

namespace ttscope::MemoryUsageTracker {
namespace {

// Its header is public: include/ttscope.

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
