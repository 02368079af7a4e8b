#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/writer.h"
#include "mem/analyze/logs.h"

namespace ttscope::mem {

struct CopiedLines {
  std::uint64_t read = 0;
  std::uint64_t kept = 0;
};

/// Whether a file is packed or in UTF-16, by its first bytes: its lines cannot be copied as they are stored.
bool is_packed_or_utf16(const std::string& path);

/// Copies the lines that stay, byte for byte; input that is stored otherwise gives plain output. `cuts` is
/// parallel to the ranks of the trace that was read from the same file.
Result<CopiedLines> copy_last_run(const RuntimeLog& log, const std::vector<RankCut>& cuts, Writer& out);

/// What a copy kept of a log, and how its last run was found.
std::string last_run_text(const std::vector<RankCut>& cuts, const CopiedLines& lines);

}  // namespace ttscope::mem
