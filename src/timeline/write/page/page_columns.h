#pragma once

#include "base/json_writer.h"
#include "report/column_codec.h"

namespace ttscope::timeline {

/// The field `columns` of a header: how the columns among the blobs are stored.
void write_columns(JsonWriter& json, const report::PageBlobs& blobs);

}  // namespace ttscope::timeline
