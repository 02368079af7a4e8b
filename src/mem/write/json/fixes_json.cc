// A section of mem/write/json/document.h: what to do.
#include "mem/write/json/document.h"
#include "mem/write/words/fix_text.h"

namespace ttscope::mem {
namespace {

void write_evidence(MemDocument& document, const Fix& fix) {
  JsonWriter& json = document.json;
  const RankProfile& rank = document.profile.ranks[fix.rank];
  const auto& ops = document.trace.ranks[fix.rank].ops;
  json.key("evidence");
  json.begin_object();
  json.field("tensors", fix.tensors);
  json.field("tensor_bytes_per_bank", fix.tensor_bytes_per_bank);
  json.key("largest");
  json.begin_array();
  for (const std::uint32_t id : fix.largest) {
    const Buffer& buffer = rank.buffers[id];
    json.begin_object();
    json.field("name", buffer_label({document.trace, document.profile}, fix.rank, buffer));
    json.field("kind", name_of(buffer.kind));
    const TensorType& type = type_of(document.trace, rank, buffer);
    write_shape(json, "shape", type.shape);
    json.field("dtype", type.dtype);
    json.field("bytes_per_bank", buffer.bytes_per_bank);
    json.field("line",
               buffer.producer_op < ops.size() ? line_or_null(ops[buffer.producer_op].line) : std::nullopt);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

}  // namespace

void write_fixes(MemDocument& document) {
  JsonWriter& json = document.json;
  json.key("fixes");
  json.begin_array();
  for (const Fix& fix : document.profile.fixes) {
    const FixText text = fix_text({document.trace, document.profile}, fix);
    json.begin_object();
    json.field("kind", name_of(fix.kind));
    json.field("what", text.what);
    json.field("effect", text.effect);
    json.field("memory", name_of(fix.memory));
    write_rank(json, document, fix.rank);
    json.field("saves_bytes_per_bank", fix.saves_bytes_per_bank);
    json.field("peak_before_bytes_per_bank", fix.peak_before_bytes_per_bank);
    json.field("peak_after_bytes_per_bank", fix.peak_after_bytes_per_bank);
    json.field("enough", fix.enough);
    write_evidence(document, fix);
    json.end_object();
  }
  json.end_array();
}

}  // namespace ttscope::mem
