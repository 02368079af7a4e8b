#include "mem/analyse/graph_keys.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

namespace ttscope::mem {
namespace {

constexpr std::uint32_t kMostCandidates = 64;  // graphs of one name that a cut run is compared with

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15ull + (hash << 6) + (hash >> 2);
  return hash * 0xff51afd7ed558ccdull;
}

std::uint64_t identity(const ExecutedOp& op) {
  return op.text != kNone ? op.text : (std::uint64_t{1} << 32) + op.op_type;
}

/// Hash of the name and the own ops of every instance.
std::vector<std::uint64_t> keys_of(const RankTrace& rank) {
  std::vector<std::uint64_t> keys(rank.programs.size(), 0);
  for (const ExecutedOp& op : rank.ops) {
    if (op.instance < keys.size()) keys[op.instance] = mix(keys[op.instance], identity(op));
  }
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = mix(keys[i], rank.programs[i].name);
  return keys;
}

/// A whole run of a graph, and the last place where it ran.
struct WholeRun {
  std::uint32_t rank = 0;
  std::uint32_t instance = 0;
  std::uint64_t key = 0;
  std::uint64_t last_seen = 0;
};

class CutRuns {
 public:
  CutRuns(const RuntimeTrace& trace, std::vector<std::vector<std::uint64_t>>& keys)
      : trace_(trace), keys_(keys) {}

  void settle() {
    for (std::uint32_t r = 0; r < trace_.ranks.size(); ++r) note_whole_runs(r);
    for (std::uint32_t r = 0; r < trace_.ranks.size(); ++r) {
      const auto& programs = trace_.ranks[r].programs;
      for (std::uint32_t i = 0; i < programs.size(); ++i) {
        if (programs[i].end_line == 0) keys_[r][i] = key_of_cut(r, i);
      }
    }
  }

 private:
  using Follower = std::pair<std::uint64_t, std::uint32_t>;  ///< (key of the run before, name)

  void note_whole_runs(std::uint32_t r) {
    const auto& programs = trace_.ranks[r].programs;
    std::uint64_t before = 0;
    for (std::uint32_t i = 0; i < programs.size(); ++i) {
      if (programs[i].end_line == 0) continue;
      const std::uint64_t key = keys_[r][i];
      if (programs[i].parent == kNone) {
        followers_[{before, programs[i].name}] = key;
        before = key;
      }
      std::vector<WholeRun>& known = by_name_[programs[i].name];
      const auto [place, is_new] = place_.emplace(key, known.size());
      if (is_new) known.push_back({r, i, key, 0});
      known[place->second].last_seen = ++clock_;
    }
  }

  std::uint64_t key_of_cut(std::uint32_t r, std::uint32_t instance) {
    const std::uint32_t name = trace_.ranks[r].programs[instance].name;
    const auto known = by_name_.find(name);
    if (known == by_name_.end()) return keys_[r][instance];
    const auto follower = followers_.find({key_before(r, instance), name});
    const WholeRun* best = nullptr;
    const std::size_t count = std::min<std::size_t>(known->second.size(), kMostCandidates);
    for (std::size_t k = known->second.size() - count; k < known->second.size(); ++k) {
      const WholeRun& run = known->second[k];
      if (!is_beginning(r, instance, run)) continue;
      if (follower != followers_.end() && follower->second == run.key) return run.key;
      if (best == nullptr || run.last_seen > best->last_seen) best = &run;
    }
    return best == nullptr ? keys_[r][instance] : best->key;
  }

  /// Of the outermost run before this one.
  std::uint64_t key_before(std::uint32_t r, std::uint32_t instance) const {
    const auto& programs = trace_.ranks[r].programs;
    if (programs[instance].parent != kNone) return 0;
    while (instance-- > 0) {
      if (programs[instance].parent == kNone) return keys_[r][instance];
    }
    return 0;
  }

  /// Whether the own ops of the instance are the first of the whole run.
  bool is_beginning(std::uint32_t r, std::uint32_t instance, const WholeRun& run) const {
    const RankTrace& part = trace_.ranks[r];
    const RankTrace& whole = trace_.ranks[run.rank];
    std::uint32_t at = whole.programs[run.instance].first_op;
    const std::uint32_t end = std::min(whole.programs[run.instance].end_op, op_count(whole));
    const std::uint32_t part_end = std::min(part.programs[instance].end_op, op_count(part));
    for (std::uint32_t i = part.programs[instance].first_op; i < part_end; ++i) {
      if (part.ops[i].instance != instance) continue;
      while (at < end && whole.ops[at].instance != run.instance) ++at;
      if (at >= end) return false;
      if (identity(whole.ops[at]) != identity(part.ops[i]) && !is_cut_from(part, i, whole.ops[at]))
        return false;
      ++at;
    }
    return true;
  }

  /// A log that was cut inside its last op line: the line is the beginning of the other op's.
  bool is_cut_from(const RankTrace& part, std::uint32_t op, const ExecutedOp& whole) const {
    if (op + 1 != part.ops.size()) return false;
    const OpText* cut = trace_.text_of(part.ops[op]);
    const OpText* other = trace_.text_of(whole);
    if (cut == nullptr || other == nullptr) return false;
    // The cut may lie behind the text, in the location.
    const std::size_t common = std::min(cut->text.size(), other->text.size());
    constexpr std::string_view kLocation = " loc(";
    const std::string_view behind = cut->text.substr(common, kLocation.size());
    return cut->text.substr(0, common) == other->text.substr(0, common) && kLocation.starts_with(behind);
  }

  static std::uint32_t op_count(const RankTrace& rank) { return static_cast<std::uint32_t>(rank.ops.size()); }

  const RuntimeTrace& trace_;
  std::vector<std::vector<std::uint64_t>>& keys_;
  std::unordered_map<std::uint32_t, std::vector<WholeRun>> by_name_;
  std::unordered_map<std::uint64_t, std::size_t> place_;  ///< key -> in by_name_ of its name
  std::map<Follower, std::uint64_t> followers_;           ///< what came last behind a run
  std::uint64_t clock_ = 0;
};

}  // namespace

std::vector<std::vector<std::uint64_t>> graph_keys(const RuntimeTrace& trace) {
  std::vector<std::vector<std::uint64_t>> keys;
  for (const RankTrace& rank : trace.ranks) keys.push_back(keys_of(rank));
  CutRuns(trace, keys).settle();
  return keys;
}

}  // namespace ttscope::mem
