#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "mem/analyse/memory_profile.h"

namespace ttscope::mem {

struct TtmemFilesOptions {
  std::string folder;  ///< made if it does not exist
  std::string name;    ///< prefix of the four file names; must not contain a path
};

/// Writes NAME_memory.json, NAME_operations.json, NAME_inputs_registry.json and NAME_ir.json
/// (docs/formats/ttmem_files.md) and returns their paths. Each file is replaced as a whole or not at all. The
/// profile must have been made with live totals. Uses one more thread.
Result<std::vector<std::string>> write_ttmem_files(const RuntimeTrace& trace, const MemoryProfile& profile,
                                                   const TtmemFilesOptions& options);

}  // namespace ttscope::mem
