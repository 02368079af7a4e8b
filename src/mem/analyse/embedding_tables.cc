#include "mem/analyse/embedding_tables.h"

#include "mem/analyse/tensor_origin.h"

namespace ttscope::mem {
namespace {

bool is_embedding(const RuntimeTrace& trace, const OpText& op) {
  return op.name < trace.names.size() && trace.names[op.name].starts_with("ttnn.embedding");
}

/// The first op of each text of an embedding.
std::vector<std::uint32_t> embeddings_of(const RuntimeTrace& trace, const RankTrace& rank) {
  std::unordered_set<std::uint32_t> texts;
  for (std::uint32_t id = 0; id < trace.op_texts.size(); ++id) {
    if (is_embedding(trace, trace.op_texts[id])) texts.insert(id);
  }
  std::vector<std::uint32_t> ops;
  for (std::uint32_t i = 0; i < rank.ops.size() && !texts.empty(); ++i) {
    if (texts.erase(rank.ops[i].text) != 0) ops.push_back(i);
  }
  return ops;
}

}  // namespace

EmbeddingTables::EmbeddingTables(const RuntimeTrace& trace, const MemoryProfile& profile,
                                 std::uint32_t rank) {
  constexpr std::size_t kTable = 1;  // ttnn.embedding(indices, table)
  const std::vector<std::uint32_t> embeddings = embeddings_of(trace, trace.ranks[rank]);
  if (embeddings.empty()) return;
  const OriginFinder origins(trace, profile, rank);
  for (const std::uint32_t op : embeddings) {
    const OpText& text = *trace.text_of(trace.ranks[rank].ops[op]);
    if (text.operands.count <= kTable || text.input_types.count <= kTable) continue;
    const std::uint32_t origin = origins.find(trace.ids(text.operands)[kTable], op);
    types_.insert(trace.ids(text.input_types)[kTable]);
    if (origin == kNone) continue;
    const auto first = [&](std::uint32_t a) {
      return profile.arguments[a].same_as == kNone ? a : profile.arguments[a].same_as;
    };
    for (std::uint32_t a = 0; a < profile.arguments.size(); ++a) {
      if (first(a) == first(origin)) arguments_.insert(a);
    }
  }
}

bool EmbeddingTables::has(const Buffer& buffer) const {
  if (buffer.argument != kNone) return arguments_.count(buffer.argument) != 0;
  return types_.count(buffer.type) != 0;
}

}  // namespace ttscope::mem
