#pragma once

#include "io/beginning.h"

namespace ttscope::mem {

/// A folder with NAME_memory.json.
bool is_report_folder(const io::Beginning& beginning);
/// NAME_memory.json alone: memory of each op.
bool is_memory_file(const io::Beginning& beginning);
/// NAME_operations.json, NAME_inputs_registry.json or NAME_ir.json.
bool is_side_file_of_report(const io::Beginning& beginning);

}  // namespace ttscope::mem
