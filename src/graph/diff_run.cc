#include "graph/diff_run.h"

#include <fmt/format.h>

#include <unordered_set>

#include "graph/analyze/segment_profile.h"

namespace ttscope::graph {
namespace {

using diff::ItemKind;
using diff::RunTotal;

class CapturedRun {
 public:
  CapturedRun(const Profile& profile, bool in_dram)
      : profile_(profile),
        in_dram_(in_dram),
        peak_(in_dram ? profile.live.dram : profile.live.l1),
        live_(in_dram ? profile.live.live_at_dram_peak.begin() : profile.live.live_at_l1_peak.begin(),
              in_dram ? profile.live.live_at_dram_peak.end() : profile.live.live_at_l1_peak.end()) {}

  diff::ComparedRun make() {
    run_.name = profile_.files.empty() ? "" : profile_.files.front();
    run_.cost_name = in_dram_ ? "peak_dram" : "peak_l1";
    run_.unit = "bytes";
    run_.row_name = "buffer";
    run_.exact_within = 0;
    describe();
    for (std::uint32_t i = 0; i < profile_.live.buffers.size(); ++i) {
      if (profile_.live.buffers[i].in_dram == in_dram_) add(i);
    }
    add_rest("(freed before)", "buffers older than the captures that were freed", -peak_.older_freed_bytes);
    if (!in_dram_) add_rest("(programs)", "circular buffers and the like", peak_.programs_bytes);
    run_.totals = {total("peak_dram", profile_.live.dram.bytes), total("peak_l1", profile_.live.l1.bytes)};
    RunTotal failures = total("failures", 0);
    failures.unit = "count";
    for (const ProfiledSegment& segment : profile_.segments) {
      if (segment.profile.unfinished.empty()) continue;
      ++failures.value;
      run_.failure =
          fmt::format("the capture ends inside of {}",
                      call_path(*segment.trace, segment.profile, segment.profile.unfinished.back()));
    }
    run_.totals.push_back(std::move(failures));
    return std::move(run_);
  }

 private:
  static RunTotal total(std::string name, std::int64_t bytes) {
    RunTotal made = {std::move(name), "bytes", static_cast<double>(bytes), true};
    made.exact_within = 0;
    return made;
  }

  void describe() {
    run_.what = in_dram_ ? "DRAM peak" : "L1 peak of a core";
    std::string mode;
    for (const ProfiledSegment& segment : profile_.segments) {
      const std::string_view own = run_mode_text(segment.profile);
      if (own != "unknown") mode = own;
    }
    run_.settings = {{"mode of the capture", mode}, {"segments", std::to_string(profile_.segments.size())}};
    if (!peak_.at.is_known()) return;
    const ProfiledSegment& segment = profile_.segments[peak_.at.segment];
    run_.what += fmt::format(" at node {}", peak_.at.node);
    if (!segment.name.empty()) run_.what += fmt::format(" of {}", segment.name);
    if (peak_.call != kNone)
      run_.what += fmt::format(", in {}", call_path(*segment.trace, segment.profile, peak_.call));
  }

  std::string lifetime_of(std::uint32_t index) const {
    const JoinedBuffer& buffer = profile_.live.buffers[index];
    if (live_.contains(index)) return "live at the peak";
    if (!peak_.at.is_known()) return {};
    const bool is_later =
        buffer.allocated.is_known() &&
        (buffer.allocated.segment > peak_.at.segment ||
         (buffer.allocated.segment == peak_.at.segment && buffer.allocated.node > peak_.at.node));
    return is_later ? "made after the peak" : "freed before the peak";
  }

  /// The call that nothing is around. Looked for once a capture: a capture can be as deep as it is long.
  std::uint32_t outermost(std::size_t segment, std::uint32_t call) {
    if (call == kNone) return kNone;
    if (segment != outermost_of_ || outermost_.empty()) {
      const std::vector<GraphCall>& calls = profile_.segments[segment].profile.calls;
      outermost_.assign(calls.size(), kNone);
      for (std::uint32_t i = 0; i < calls.size(); ++i)
        outermost_[i] = calls[i].parent == kNone ? i : outermost_[calls[i].parent];
      outermost_of_ = segment;
    }
    return outermost_[call];
  }

  void add(std::uint32_t index) {
    const JoinedBuffer& buffer = profile_.live.buffers[index];
    const ProfiledSegment& segment = profile_.segments[buffer.segment];
    const GraphTrace& trace = *segment.trace;
    const BufferLife& life = segment.profile.buffers[buffer.buffer];
    const BufferFacts& facts = trace.buffer_facts[life.facts];
    ItemKind kind;
    // The outermost function is what a person called; the innermost is always the one that allocates.
    const std::uint32_t outer = outermost(buffer.segment, life.call);
    kind.op = outer == kNone ? "(older than the capture)"
                             : std::string(trace.text(segment.profile.calls[outer].name));
    kind.place = segment.name + " " + buffer.owner;
    kind.layer = buffer.owner.empty() ? "" : owner_group(buffer.owner);
    kind.category = buffer.kind;
    kind.placement = buffer_type_text(trace, facts);
    std::string dtype;
    if (life.tensor != kNone) {
      const TensorFacts& tensor = trace.tensor_facts_of(life.tensor);
      kind.shape = trace.text(tensor.shape);
      dtype = trace.text(tensor.dtype);
      kind.form = dtype + " " + std::string(trace.text(tensor.layout));
    } else {
      kind.shape = fmt::format("{} B", buffer.size_bytes);
    }
    kind.label =
        fmt::format("{}: {}", kind.op, buffer.owner.empty() ? buffer_form(trace, life) : buffer.owner);
    kind.facts = {
        {"dtype", dtype},
        {"layout",
         life.tensor == kNone ? "" : std::string(trace.text(trace.tensor_facts_of(life.tensor).layout))},
        {"buffer_type", kind.placement},
        {"sharding", std::string(trace.text(facts.layout))},
        {"shape", kind.shape},
        {"lifetime", lifetime_of(index)}};
    push(std::move(kind), index, live_.contains(index) ? buffer.bytes : 0);
  }

  void add_rest(std::string op, std::string label, std::int64_t bytes) {
    ItemKind kind;
    kind.op = std::move(op);
    kind.label = std::move(label);
    kind.category = "unaccounted";
    push(std::move(kind), profile_.live.buffers.size() + run_.items.size(), bytes);
  }

  void push(ItemKind kind, std::uint64_t row, std::int64_t bytes) {
    run_.kinds.push_back(std::move(kind));
    run_.items.push_back(
        {static_cast<std::uint32_t>(run_.kinds.size() - 1), row, static_cast<double>(bytes), 0});
  }

  const Profile& profile_;
  bool in_dram_;
  const JoinedPeak& peak_;
  std::unordered_set<std::uint32_t> live_;
  std::vector<std::uint32_t> outermost_;  ///< of the calls of a segment
  std::size_t outermost_of_ = 0;          ///< which one
  diff::ComparedRun run_;
};

}  // namespace

diff::ComparedRun diff_run_of(const Profile& profile, bool in_dram) {
  return CapturedRun(profile, in_dram).make();
}

}  // namespace ttscope::graph
