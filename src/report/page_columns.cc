#include "report/page_columns.h"

namespace ttscope::report {

void write_columns(JsonWriter& json, std::span<const PageBlobs* const> blobs) {
  json.key("columns");
  json.begin_object();
  for (const PageBlobs* some : blobs) {
    for (const PageBlob& blob : some->list()) {
      if (!blob.column) continue;
      json.key(blob.id);
      json.begin_object();
      json.field("type", name_of(blob.column->type));
      json.field("count", blob.column->count);
      if (blob.column->stored == Stored::kDelta) json.field("delta", true);
      json.end_object();
    }
  }
  json.end_object();
}

void write_columns(JsonWriter& json, const PageBlobs& blobs) {
  const PageBlobs* const one = &blobs;
  write_columns(json, std::span(&one, 1));
}

}  // namespace ttscope::report
