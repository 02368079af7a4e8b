#pragma once

#include "base/json_writer.h"
#include "base/writer.h"
#include "mem/analyse/memory_profile.h"

namespace ttscope::mem {

/// The form of all four files: that of Python's json.dump(indent=2), without a final newline.
inline constexpr JsonStyle kTtmemStyle{.indented = true, .ascii = true};

inline constexpr double kBytesPerMib = 1048576;

void write_memory_file(const RuntimeTrace& trace, const MemoryProfile& profile, Writer& out);
void write_operations_file(const RuntimeTrace& trace, const MemoryProfile& profile, Writer& out);
void write_registry_file(const RuntimeTrace& trace, const MemoryProfile& profile, Writer& out);
void write_ir_file(const RuntimeTrace& trace, const MemoryProfile& profile, Writer& out);

}  // namespace ttscope::mem
