// A section of mem/write/json/document.h: growth, which is most of a document.
#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "mem/write/json/document.h"

namespace ttscope::mem {
namespace {

/// Start of every record of a rank, up to the op's index.
std::vector<std::string> record_starts(const MemDocument& document) {
  std::vector<std::string> starts;
  for (const RankTrace& rank : document.trace.ranks) {
    std::string start = "{\"rank\":";
    report::append_integer(start, rank.number);
    if (document.several_files()) {
      start += ",\"file\":";
      report::append_integer(start, rank.file);
    }
    start += ",\"op_index\":";
    starts.push_back(std::move(start));
  }
  return starts;
}

/// The first `limit` of growth_of(), without sorting them all.
std::vector<GrowthEntry> largest(const MemoryProfile& profile, std::size_t limit) {
  const auto before = [](const GrowthEntry& a, const GrowthEntry& b) {
    const auto place = [](const GrowthEntry& entry) {
      return std::tuple(entry.rank, entry.op, entry.memory);
    };
    return a.bytes_per_bank != b.bytes_per_bank ? a.bytes_per_bank > b.bytes_per_bank : place(a) < place(b);
  };
  std::vector<GrowthEntry> heap;  // the last of those kept is on top
  const auto offer = [&](const GrowthEntry& entry) {
    if (heap.size() == limit) {
      if (!before(entry, heap.front())) return;
      std::pop_heap(heap.begin(), heap.end(), before);
      heap.pop_back();
    }
    heap.push_back(entry);
    std::push_heap(heap.begin(), heap.end(), before);
  };
  for (std::uint32_t rank = 0; rank < profile.ranks.size(); ++rank) {
    const auto& effects = profile.ranks[rank].effects;
    for (std::uint32_t op = 0; op < effects.size(); ++op) {
      for (std::uint8_t m = 0; m < kTensorMemoryCount; ++m) {
        if (effects[op].own_growth[m] > 0) offer({rank, op, m, effects[op].own_growth[m]});
      }
    }
  }
  std::sort_heap(heap.begin(), heap.end(), before);
  return heap;
}

}  // namespace

/// Half of all ops grow, so this list is most of the document: its records are put together from prepared
/// pieces.
void write_growth(MemDocument& document) {
  const std::vector<std::string> starts = record_starts(document);
  Writer& out = document.out;
  const std::vector<GrowthEntry> entries =
      document.list_limit == 0 ? growth_of(document.profile) : largest(document.profile, document.list_limit);
  RecordList list(document, "growth");
  for (const GrowthEntry& entry : entries) {
    const ExecutedOp& op = document.trace.ranks[entry.rank].ops[entry.op];
    const OpEffect& effect = document.profile.ranks[entry.rank].effects[entry.op];
    list.next_line();
    out.write(starts[entry.rank]);
    report::write_integer(out, entry.op);
    out.write(",\"line\":");
    report::write_integer(out, op.line);
    out.write(",\"op\":");
    out.write(document.ops.name(op));
    out.write(",\"loc\":");
    out.write(document.ops.loc(op));
    out.write(",\"memory\":\"");
    out.write(name_of(kTensorMemories[entry.memory]));
    out.write("\",\"bytes_per_bank\":");
    report::write_integer(out, entry.bytes_per_bank);
    out.write(",\"confidence\":\"");
    out.write(name_of(effect.confidence[entry.memory]));
    out.write("\"}");
  }
}

}  // namespace ttscope::mem
