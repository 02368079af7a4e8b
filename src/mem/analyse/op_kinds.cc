#include "mem/analyse/op_kinds.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/flat_map.h"

namespace ttscope::mem {
namespace {

std::uint32_t name_id(const RuntimeTrace& trace, const ExecutedOp& op) {
  const std::uint32_t written = op.text == kNone ? kNone : trace.op_texts[op.text].name;
  return written == kNone ? op.op_type : written;
}

class OpKinds {
 public:
  OpKinds(const RuntimeTrace& trace, const MemoryProfile& profile) : trace_(trace), profile_(profile) {
    for (std::uint32_t rank = 0; rank < trace.ranks.size(); ++rank) add_rank(rank);
  }

  std::vector<OpKind> by_count() && {
    std::stable_sort(kinds_.begin(), kinds_.end(),
                     [](const OpKind& a, const OpKind& b) { return a.count > b.count; });
    return std::move(kinds_);
  }

 private:
  void add_rank(std::uint32_t rank) {
    const auto& ops = trace_.ranks[rank].ops;
    const RankProfile& profile = profile_.ranks[rank];
    for (std::uint32_t i = 0; i < ops.size(); ++i) {
      OpKind& kind = kind_of(rank, i);
      ++kind.count;
      if (i < profile.is_weight_op.size() && profile.is_weight_op[i]) ++kind.weight_ops;
      if (i >= profile.effects.size()) continue;
      for (std::size_t m = 0; m < kTensorMemoryCount; ++m) {
        kind.growth[m] += std::max<std::int64_t>(profile.effects[i].own_growth[m], 0);
      }
    }
  }

  OpKind& kind_of(std::uint32_t rank, std::uint32_t op) {
    const std::uint32_t name = name_id(trace_, trace_.ranks[rank].ops[op]);
    const std::uint32_t key = name == kNone ? trace_.names.size() : name;
    if (const std::uint32_t* known = places_.find(key)) return kinds_[*known];
    places_.set(key, static_cast<std::uint32_t>(kinds_.size()));
    return kinds_.emplace_back(OpKind{rank, op, 0, 0, {}});
  }

  const RuntimeTrace& trace_;
  const MemoryProfile& profile_;
  FlatMap<std::uint32_t> places_;  ///< in kinds_, by name id
  std::vector<OpKind> kinds_;
};

std::string_view last_part(std::string_view op_name) {
  const std::size_t dot = op_name.rfind('.');
  return dot == std::string_view::npos ? op_name : op_name.substr(dot + 1);
}

class NameCounter {
 public:
  void add(std::string_view name, std::uint64_t times) {
    const auto [place, is_new] = place_of_.try_emplace(name, counts_.size());
    if (is_new) counts_.push_back({name, 0});
    counts_[place->second].times += times;
  }
  std::vector<OpNameCount> by_count() && {
    std::stable_sort(counts_.begin(), counts_.end(),
                     [](const OpNameCount& a, const OpNameCount& b) { return a.times > b.times; });
    return std::move(counts_);
  }

 private:
  std::vector<OpNameCount> counts_;
  std::unordered_map<std::string_view, std::size_t> place_of_;
};

}  // namespace

std::vector<OpKind> op_kinds(const RuntimeTrace& trace, const MemoryProfile& profile) {
  return OpKinds(trace, profile).by_count();
}

std::vector<OpNameCount> counted_names(const RuntimeTrace& trace) {
  std::vector<std::uint64_t> by_text(trace.op_texts.size());
  NameCounter names;
  for (const RankTrace& rank : trace.ranks) {
    for (const ExecutedOp& op : rank.ops) {
      if (!is_counted(trace, op)) continue;
      if (op.text == kNone) {
        names.add(trace.name_of(op), 1);
      } else {
        ++by_text[op.text];
      }
    }
  }
  for (std::size_t i = 0; i < by_text.size(); ++i) {
    const std::uint32_t name = trace.op_texts[i].name;
    if (by_text[i] > 0) names.add(name == kNone ? "unreadable" : last_part(trace.names[name]), by_text[i]);
  }
  return std::move(names).by_count();
}

}  // namespace ttscope::mem
