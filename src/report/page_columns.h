#pragma once

#include <span>

#include "base/json_writer.h"
#include "report/column_codec.h"

namespace ttscope::report {

/// The field `columns` of a page's header: how the columns among the blobs are stored.
void write_columns(JsonWriter& json, std::span<const PageBlobs* const> blobs);
void write_columns(JsonWriter& json, const PageBlobs& blobs);

}  // namespace ttscope::report
