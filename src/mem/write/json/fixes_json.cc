// A section of mem/write/json/document.h: what to do.
#include "mem/tables/table_source.h"
#include "mem/write/json/document.h"
#include "mem/write/json/tensor_json.h"
#include "mem/write/words/fix_text.h"
#include "table/json_rows.h"

namespace ttscope::mem {
namespace {

void write_evidence(JsonWriter& json, const ProfileView& view, const Fix& fix) {
  json.key("evidence");
  json.begin_object();
  json.field("tensors", fix.tensors);
  json.field("tensor_bytes_per_bank", fix.tensor_bytes_per_bank);
  json.key("largest");
  json.begin_array();
  for (const std::uint32_t id : fix.largest) {
    json.begin_object();
    write_tensor_members(json, view, fix.rank, id);
    json.field("line", producer_line(view, fix.rank, id));
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

}  // namespace

void write_fix_list(JsonWriter& json, const ProfileView& view, const std::vector<Fix>& fixes) {
  const auto list = std::make_shared<const FixList>(FixList{view.trace, fixes});
  table::JsonRows rows(table::make_table(fix_list_spec(), list, fixes.size()), table::AllBut{});
  json.key("fixes");
  json.begin_array();
  for (const Fix& fix : fixes) {
    const FixText text = fix_text(view, fix);
    json.begin_object();
    rows.write_next(json);
    json.field("what", text.what);
    json.field("effect", text.effect);
    if (view.trace.files.size() > 1) json.field("file", view.trace.ranks[fix.rank].file);
    write_evidence(json, view, fix);
    json.end_object();
  }
  json.end_array();
}

void write_fixes(MemDocument& document) {
  write_fix_list(document.json, {document.trace, document.profile}, document.profile.fixes);
}

}  // namespace ttscope::mem
