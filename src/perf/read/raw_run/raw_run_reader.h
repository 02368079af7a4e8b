#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "perf/model/raw_run.h"

namespace ttscope::perf {

/// Saved buffers of the device profiler (docs/formats/raw_run.md): `path` is the document; the file with the
/// words that it names lies beside it, plain or compressed. Of several snapshots the last is read. What is
/// missing in the words is told, not fatal; a document without them is an error.
Result<RawRun> read_raw_run(const std::string& path);

/// The same where both texts are there already.
Result<RawRun> parse_raw_run(const std::string& name, std::string_view document, std::string_view words);

/// The name of the file with the words, as the document has it.
Result<std::string> raw_file_of(const std::string& name, std::string_view document);

}  // namespace ttscope::perf
