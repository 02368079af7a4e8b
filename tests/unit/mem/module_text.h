#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "mem/analyze/memory_profile.h"
#include "mem/read/ttnn_module.h"
#include "support/invariants.h"

/// Texts of compiled modules, and what is read of them.
namespace ttscope::mem {

inline constexpr std::int64_t kTile = 2048;  // bf16

/// A type of so many rows of tiles; with 12 banks every 12 tiles take one of each.
inline std::string tiles(int rows) {
  return "tensor<" + std::to_string(32 * rows) + "x32xbf16, #layout" + std::to_string(rows) + ">";
}

inline std::string layout(int rows, const std::string& memory = "dram") {
  return "#layout" + std::to_string(rows) + " = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<" +
         std::to_string(rows) + "x1x!ttcore.tile<32x32, bf16>, #" + memory + ">, <interleaved>>\n";
}

inline const std::string kAliases =
    "#dram = #ttnn.buffer_type<dram>\n" + layout(12) + layout(24) + layout(120);

inline std::string in_module(const std::string& functions) {
  return kAliases + "module {\n" + functions + "}\n";
}

inline std::string function(const std::string& name, const std::string& arguments, const std::string& body) {
  return "  func.func @" + name + "(" + arguments + ") -> () {\n" + body + "  }\n";
}

inline std::string op(const std::string& result, const std::string& name, const std::string& operands,
                      const std::string& types) {
  return "    " + result + " = \"" + name + "\"(" + operands + ") : " + types + "\n";
}

inline std::string deallocate(const std::string& name, const std::string& type) {
  return "    \"ttnn.deallocate\"(" + name + ") <{force = false}> : (" + type + ") -> ()\n";
}

/// A module and all that is made of it.
struct ReadModule {
  explicit ReadModule(std::string given)
      : text(std::move(given)), log(read_ttnn_module_text("m.mlir", text)) {
    profile = profile_memory(log, {});
    EXPECT_EQ(testing::broken_invariant(log, profile), "");
  }

  const RankLog& rank() const { return log.ranks.at(0); }
  std::int64_t peak(Memory memory = Memory::kDram) const {
    return log.ranks.empty() ? -1 : profile.ranks.at(0).peaks[index_of(memory)].bytes_per_bank;
  }
  std::vector<std::string> ops() const {
    std::vector<std::string> names;
    for (const ExecutedOp& executed : rank().ops) names.emplace_back(log.name_of(executed));
    return names;
  }
  std::vector<std::string> programs() const {
    std::vector<std::string> names;
    for (const ProgramInstance& program : rank().programs) names.emplace_back(log.names[program.name]);
    return names;
  }
  std::string_view op_text(std::size_t i) const { return log.op_texts[rank().ops.at(i).text].text; }
  std::vector<std::int64_t> states() const {
    std::vector<std::int64_t> states;
    for (const PerTensorMemory& state : profile.ranks.at(0).accounted) states.push_back(state[0]);
    return states;
  }

  std::string text;
  RuntimeLog log;
  MemoryProfile profile;
};

inline const std::string kAddOf12 = "(" + tiles(12) + ", " + tiles(12) + ") -> " + tiles(12);

inline std::string small_module(const std::string& name) {
  return in_module(function(name, "", op("%0", "ttnn.ones", "", "() -> " + tiles(12))));
}

}  // namespace ttscope::mem
