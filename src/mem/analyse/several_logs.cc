#include "mem/analyse/several_logs.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "base/text_search.h"

namespace ttscope::mem {
namespace {

using Sign = SeveralLogs::Sign;

/// Whether one of two names has the one word and the other one the other, and they are the same otherwise.
std::string word_pair_of(const std::string& first, const std::string& second) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kPairs = {
      {{"before", "after"}, {"old", "new"}, {"baseline", "current"}, {"main", "branch"}}};
  const auto name = [](const std::string& path) { return lower(path.substr(path.rfind('/') + 1)); };
  const std::string a = name(first);
  const std::string b = name(second);
  for (const auto& [old, later] : kPairs) {
    const bool is_pair = (contains(a, old) && contains(b, later)) || (contains(a, later) && contains(b, old));
    if (is_pair) return std::string(old) + " and " + std::string(later);
  }
  return {};
}

class LogsCompared {
 public:
  explicit LogsCompared(const Profile& profile) : trace_(profile.trace), memory_(profile.memory) {}

  std::pair<Sign, std::string> sign() const {
    for (std::size_t i = 0; i < trace_.ranks.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        const RankTrace& later = trace_.ranks[i];
        const RankTrace& earlier = trace_.ranks[k];
        if (later.file == earlier.file) continue;
        if (!later.tag.empty() && later.tag == earlier.tag) return {Sign::kSameRank, later.tag};
        if (are_unlike(memory_.ranks[i].device, memory_.ranks[k].device)) return {Sign::kOtherDevice, {}};
      }
    }
    if (const std::string program = program_with_other_ops(); !program.empty())
      return {Sign::kOtherOps, program};
    if (trace_.files.size() == 2) {
      const std::string words = word_pair_of(trace_.files[0], trace_.files[1]);
      if (!words.empty()) return {Sign::kNames, words};
    }
    return {Sign::kNone, {}};
  }

 private:
  static bool are_unlike(const DeviceFacts& a, const DeviceFacts& b) {
    const bool is_known = a.source == FactSource::kMemoryLines && b.source == FactSource::kMemoryLines;
    return is_known && (a.banks != b.banks || a.capacity_bytes_per_bank != b.capacity_bytes_per_bank);
  }

  /// A program that is a graph of its own in two files: graphs are one where name and ops are the same.
  std::string program_with_other_ops() const {
    std::map<std::uint32_t, std::uint32_t> file_of_name;
    std::map<std::uint32_t, std::uint32_t> graph_of_name;
    for (std::size_t rank = 0; rank < memory_.ranks.size(); ++rank) {
      for (const ProgramSummary& program : memory_.ranks[rank].programs) {
        if (program.const_eval || program.graph >= memory_.graphs.size()) continue;
        const std::uint32_t name = memory_.graphs[program.graph].name;
        const auto [graph, is_new] = graph_of_name.try_emplace(name, program.graph);
        file_of_name.try_emplace(name, trace_.ranks[rank].file);
        if (!is_new && graph->second != program.graph && file_of_name[name] != trace_.ranks[rank].file)
          return std::string(trace_.names[name]);
      }
    }
    return {};
  }

  const RuntimeTrace& trace_;
  const MemoryProfile& memory_;
};

}  // namespace

SeveralLogs several_logs(const Profile& profile) {
  SeveralLogs result;
  const RuntimeTrace& trace = profile.trace;
  if (trace.files.size() < 2 || profile.memory.ranks.size() != trace.ranks.size()) return result;
  for (std::uint32_t file = 0; file < trace.files.size(); ++file) {
    SeveralLogs::File own = {trace.files[file], {}};
    for (const RankTrace& rank : trace.ranks) {
      if (rank.file == file) own.ranks.push_back(rank.number);
    }
    result.files.push_back(std::move(own));
  }
  std::tie(result.sign, result.detail) = LogsCompared(profile).sign();
  return result;
}

}  // namespace ttscope::mem
