#include "timeline/write/page/page_columns.h"

namespace ttscope::timeline {

void write_columns(JsonWriter& json, const report::PageBlobs& blobs) {
  json.key("columns");
  json.begin_object();
  for (const report::PageBlob& blob : blobs.list()) {
    if (!blob.column) continue;
    json.key(blob.id);
    json.begin_object();
    json.field("type", name_of(blob.column->type));
    json.field("count", blob.column->count);
    if (blob.column->stored == report::Stored::kDelta) json.field("delta", true);
    json.end_object();
  }
  json.end_object();
}

}  // namespace ttscope::timeline
