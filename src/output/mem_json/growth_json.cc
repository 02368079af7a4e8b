#include <string>
#include <vector>

#include "output/mem_json/document.h"

namespace ttscope::output {
namespace {

/// Start of every record of a rank, up to the op's index.
std::vector<std::string> record_starts(const MemDocument& document) {
  std::vector<std::string> starts;
  for (const RankTrace& rank : document.trace.ranks) {
    std::string start = "{\"rank\":";
    append_integer(start, rank.number);
    if (document.several_files()) {
      start += ",\"file\":";
      append_integer(start, rank.file);
    }
    start += ",\"op_index\":";
    starts.push_back(std::move(start));
  }
  return starts;
}

}  // namespace

/// Half of all ops grow, so this list is most of the document: its records are put together from prepared
/// pieces.
void write_growth(MemDocument& document) {
  const std::vector<std::string> starts = record_starts(document);
  Writer& out = document.out;
  RecordList list(document, "growth");
  for (const analysis::GrowthEntry& entry : analysis::growth_of(document.profile)) {
    const OpRecord& op = document.trace.ranks[entry.rank].ops[entry.op];
    const analysis::OpEffect& effect = document.profile.ranks[entry.rank].effects[entry.op];
    list.next_line();
    out.write(starts[entry.rank]);
    write_integer(out, entry.op);
    out.write(",\"line\":");
    write_integer(out, op.line);
    out.write(",\"op\":");
    out.write(document.ops.name(op));
    out.write(",\"loc\":");
    out.write(document.ops.loc(op));
    out.write(",\"memory\":\"");
    out.write(name_of(kTensorMemories[entry.memory]));
    out.write("\",\"bytes_per_bank\":");
    write_integer(out, entry.bytes_per_bank);
    out.write(",\"confidence\":\"");
    out.write(name_of(effect.confidence[entry.memory]));
    out.write("\"}");
  }
}

}  // namespace ttscope::output
