#pragma once

#include "mem/read/ttmem_files/json_reading.h"
#include "mem/read/ttmem_files/run_builder.h"

namespace ttscope::mem {

// Each reads one file into the builder.
Result<void> read_operations(JsonDocument& file, RunBuilder& builder);
Result<void> read_memory(JsonDocument& file, RunBuilder& builder);
Result<void> read_registry(JsonDocument& file, RunBuilder& builder);
Result<void> read_modules(JsonDocument& file, RunBuilder& builder);

}  // namespace ttscope::mem
