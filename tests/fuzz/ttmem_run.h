#pragma once

// How the targets for the files of a run read them: in memory.

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "fuzz/fuzz_target.h"
#include "mem/read/ttmem_files.h"
#include "support/invariants.h"

namespace ttscope::fuzz {

/// The other files of a run of which one is tried: two ops.
inline constexpr std::string_view kRunOperations =
    R"([{"result": "%1", "mlir_op": "ttnn.add", "inputs": ["%arg0"], "attributes": {}},)"
    R"({"result": "%2", "mlir_op": "ttnn.neg", "inputs": ["%1"], "attributes": {}}])";
inline constexpr std::string_view kRunMemory =
    R"([{"op_type": "A", "index": 0, "mlir_op": "ttnn.add", "loc": "a.1", "memory": {}},)"
    R"({"op_type": "B", "index": 1, "mlir_op": "ttnn.neg", "loc": "a.2", "memory": {}}])";

inline mem::PaddedText padded(std::string_view text) { return mem::PaddedText(std::string(text)); }

/// Whatever the texts are, they are a run or an error that says something.
inline std::optional<mem::RecordedRun> read_run(mem::TtmemTexts texts) {
  texts.name = "run";
  auto run = mem::read_ttmem_texts(std::move(texts));
  if (!run) {
    require(!run.error().message.empty(), "an error says something");
    return std::nullopt;
  }
  const std::string broken = testing::broken_log(run->log);
  require(broken.empty(), broken.c_str());
  return std::move(*run);
}

}  // namespace ttscope::fuzz
