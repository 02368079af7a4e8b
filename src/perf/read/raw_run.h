#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "perf/model/raw_run.h"

namespace ttscope::perf {

/// Where the fields of a header word (ID_LH) stand, and which control word says what. Two eras.
struct ProfilerLayout {
  unsigned risc_bits;
  unsigned flat_shift;
  unsigned trace_shift;
  std::uint32_t host_end;      ///< per processor: words in DRAM
  std::uint32_t device_end;    ///< per processor: words in L1
  std::uint32_t dram_address;  ///< 0: the device has no place to send to
  std::uint32_t dropped;       ///< a bit for each processor
  std::uint32_t done;
};

/// By the number of control words: 64 since July 2026, 32 before.
const ProfilerLayout& layout_of(std::size_t control_words);

/// Whose words they are.
struct RegionOwner {
  const ProfilerLayout* layout = nullptr;
  std::uint32_t risc = 0;
  std::uint32_t flat_id = 0;
};

/// Takes the words of one processor apart. Never fails: what is no marker is counted.
RawRegion read_marker_words(const std::vector<std::uint32_t>& words, const RegionOwner& owner);

/// How many words of a buffer in L1 a launch has written that has not ended, and so has not told it; 0 if
/// none runs. What follows is left of earlier launches.
std::uint32_t running_words(const std::vector<std::uint32_t>& buffer);

/// Saved buffers of the device profiler (docs/formats/raw_run.md): `path` is the document; the file with the
/// words that it names lies beside it, plain or compressed. Of several snapshots the last is read. What is
/// missing in the words is told, not fatal; a document without them is an error.
Result<RawRun> read_raw_run(const std::string& path);

/// The same where both texts are there already.
Result<RawRun> parse_raw_run(const std::string& name, std::string_view document, std::string_view words);

/// The name of the file with the words, as the document has it.
Result<std::string> raw_file_of(const std::string& name, std::string_view document);

}  // namespace ttscope::perf
