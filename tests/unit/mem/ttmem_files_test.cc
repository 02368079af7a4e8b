#include "mem/write/ttmem_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "support/temp_folder.h"
#include "unit/mem/hand_made_trace.h"

namespace ttscope::mem {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

using FileForm = void(const RuntimeLog&, const MemoryProfile&, Writer&);

std::string written(FileForm* form, const HandMadeLog& made) {
  StringWriter out;
  form(made.log, made.profile, out);
  EXPECT_TRUE(out.finish().has_value());
  return out.text();
}

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(MemoryFile, HasTheOldFieldsInTheirOrderAndOursAfterThem) {
  HandMadeLog made;
  made.add_program("main");
  made.add_op({.loc = "\"dot.7\"", .dram = 320});
  made.add_op({.name = "ttnn.deallocate", .role = OpRole::kDeallocate, .dram = 1320});
  made.set_growth(0, bytes_of(1000));
  made.rank_profile().live_totals[0][0] = {1536, 49152, 1};
  const std::string line = std::to_string(made.rank().ops[0].line);
  EXPECT_EQ(written(write_memory_file, made), R"({
  "metadata": {
    "memory_config": {
      "DRAM": {
        "num_banks": 12,
        "total_bytes_per_bank_MB": 1000.0
      },
      "L1": {
        "num_banks": 64,
        "total_bytes_per_bank_MB": 1.0
      },
      "L1_SMALL": {
        "num_banks": 64,
        "total_bytes_per_bank_MB": 0.062
      },
      "TRACE": {
        "num_banks": 12,
        "total_bytes_per_bank_MB": 0.0
      }
    },
    "total_operations": 1
  },
  "operations": [
    {
      "op_type": "TestOp",
      "memory": {
        "DRAM": {
          "numBanks": 12,
          "totalBytesPerBank_MB": 1000.0,
          "totalBytesAllocatedPerBank_MB": 0.32,
          "totalBytesFreePerBank_MB": 999.68,
          "largestContiguousBytesFreePerBank_MB": 499.84
        },
        "L1": {
          "numBanks": 64,
          "totalBytesPerBank_MB": 1.0,
          "totalBytesAllocatedPerBank_MB": 0.0,
          "totalBytesFreePerBank_MB": 1.0,
          "largestContiguousBytesFreePerBank_MB": 1.0
        },
        "L1_SMALL": {
          "numBanks": 64,
          "totalBytesPerBank_MB": 0.062,
          "totalBytesAllocatedPerBank_MB": 0.0,
          "totalBytesFreePerBank_MB": 0.062,
          "largestContiguousBytesFreePerBank_MB": 0.062
        },
        "TRACE": {
          "numBanks": 12,
          "totalBytesPerBank_MB": 0.0,
          "totalBytesAllocatedPerBank_MB": 0.0,
          "totalBytesFreePerBank_MB": 0.0,
          "largestContiguousBytesFreePerBank_MB": 0.0
        }
      },
      "index": 0,
      "mlir_op": "ttnn.add",
      "loc": "dot.7",
      "const_eval_graph": null,
      "const_eval_cache_miss": false,
      "is_weight_op": false,
      "unpadded_memory": {
        "DRAM": {
          "unpadded_bytes": 1536,
          "padded_bytes": 49152,
          "num_tensors": 1,
          "unpadded_MB": 0.00146484375,
          "padded_MB": 0.046875,
          "overhead_MB": 0.04541015625,
          "overhead_pct": 3100.0
        },
        "L1": {
          "unpadded_bytes": 0,
          "padded_bytes": 0,
          "num_tensors": 0,
          "unpadded_MB": 0.0,
          "padded_MB": 0.0,
          "overhead_MB": 0.0,
          "overhead_pct": 0
        }
      },
      "memory_source": "logged",
      "memory_after": {
        "DRAM": {
          "totalBytesAllocatedPerBank_MB": 1.32,
          "totalBytesFreePerBank_MB": 998.68,
          "largestContiguousBytesFreePerBank_MB": 499.34
        },
        "L1": {
          "totalBytesAllocatedPerBank_MB": 0.0,
          "totalBytesFreePerBank_MB": 1.0,
          "largestContiguousBytesFreePerBank_MB": 1.0
        },
        "L1_SMALL": {
          "totalBytesAllocatedPerBank_MB": 0.0,
          "totalBytesFreePerBank_MB": 0.062,
          "largestContiguousBytesFreePerBank_MB": 0.062
        },
        "TRACE": {
          "totalBytesAllocatedPerBank_MB": 0.0,
          "totalBytesFreePerBank_MB": 0.0,
          "largestContiguousBytesFreePerBank_MB": 0.0
        }
      },
      "memory_after_confidence": "measured",
      "own_growth": {
        "DRAM": 1048576,
        "L1": 0
      },
      "own_growth_confidence": "measured",
      "op_index": 0,
      "line": )" + line + R"(,
      "rank": 0,
      "program": "main",
      "program_instance": 0,
      "run": 0
    }
  ]
})");
}

TEST(MemoryFile, AMissingBlockDoesNotLoseItsOp) {
  HandMadeLog made;
  made.add_program("main");
  made.add_op({.dram = 320});
  made.add_op({.has_block = false});
  const std::string text = written(write_memory_file, made);
  EXPECT_THAT(text, HasSubstr("\"total_operations\": 2"));
  EXPECT_EQ(count(text, "\"memory_source\": \"logged\""), 1u);
  EXPECT_EQ(count(text, "\"memory_source\": \"repeated\""), 1u);
}

TEST(MemoryFile, WithoutOpsTheListIsEmpty) {
  EXPECT_EQ(written(write_memory_file, HandMadeLog()),
            "{\n  \"metadata\": {\n    \"memory_config\": {},\n    \"total_operations\": 0\n  },\n  "
            "\"operations\": []\n}");
  EXPECT_EQ(written(write_operations_file, HandMadeLog()), "[]");
}

TEST(OperationsFile, EndsARecordWithWeightsAndOurFields) {
  HandMadeLog made;
  made.add_program("main");
  made.add_weight("%arg1", "norm_weight", {768});
  made.add_op({.results = {"%3"}, .operands = {"%arg1"}, .loc = "unknown"});
  made.rank_profile().is_weight_op[0] = true;
  const std::string line = std::to_string(made.rank().ops[0].line);
  EXPECT_THAT(written(write_operations_file, made), ::testing::EndsWith(R"(
    "loc": null,
    "index": 0,
    "const_eval_graph": null,
    "const_eval_cache_miss": false,
    "is_weight_op": true,
    "weights": [
      {
        "registry_index": 0,
        "name": "norm_weight",
        "shape": "768",
        "dtype": "bf16",
        "bytes": 1536
      }
    ],
    "op_index": 0,
    "line": )" + line + R"(,
    "rank": 0,
    "program": "main",
    "program_instance": 0,
    "run": 0
  }
])"));
}

TEST(OperationsFile, ConstEvalOpsNameTheirGraphAndTheMiss) {
  HandMadeLog made;
  made.add_program("main");
  made.add_op({.name = "ttcore.load_cached", .callee = "main_const_eval_0", .role = OpRole::kLoadCached});
  made.rank().ops[0].cache_miss = true;
  made.add_program("main_const_eval_0", 0, 0);
  made.add_op({.instance = 1});
  const std::string text = written(write_operations_file, made);
  EXPECT_EQ(count(text, "\"const_eval_graph\": \"main_const_eval_0\",\n    \"const_eval_cache_miss\": true"),
            1u);
  EXPECT_EQ(count(text, "\"const_eval_graph\": null,\n    \"const_eval_cache_miss\": false"), 1u);
}

TEST(BothFiles, HaveTheSameOpsInTheSameOrderOverAllRanks) {
  HandMadeLog made;
  made.add_program("main");
  made.add_op({.loc = "\"a\""});
  made.add_op({.role = OpRole::kGetDevice});
  made.add_op({.loc = "\"b\""});
  made.log.ranks.push_back(made.log.ranks[0]);
  made.log.ranks[1].number = 1;
  made.profile.ranks.push_back(made.profile.ranks[0]);
  for (FileForm* form : {write_memory_file, write_operations_file}) {
    const std::string text = written(form, made);
    std::size_t at = 0;
    for (const std::string_view part :
         {"\"loc\": \"a\"", "\"index\": 0,", "\"rank\": 0", "\"index\": 1,", "\"rank\": 0", "\"index\": 2,",
          "\"rank\": 1", "\"index\": 3,", "\"rank\": 1"}) {
      if (form == write_memory_file && part.starts_with("\"loc\"")) continue;
      at = text.find(part, at);
      ASSERT_NE(at, std::string::npos) << part;
    }
    EXPECT_THAT(text, Not(HasSubstr("\"index\": 4,")));
  }
}

TEST(RegistryFile, HasTheTotalsOfTheProfileAndAllEntries) {
  HandMadeLog made;
  made.add_weight("%arg0", "scale", {});
  made.add_weight("%arg1", "norm", {768});
  made.add_weight("%arg0", "norm", {768});
  made.profile.arguments[2].graph = 1;
  made.profile.arguments[2].same_as = 1;
  made.profile.weight_count = 2;
  made.profile.weight_bytes = 1538;
  const std::string text = written(write_registry_file, made);
  EXPECT_THAT(text, HasSubstr("\"total_entries\": 3,\n    \"total_weights\": 2,\n    \"total_inputs\": 0,\n"
                              "    \"total_weight_bytes\": 1538,"));
  EXPECT_THAT(text, HasSubstr("\"shape\": null,\n      \"dtype\": \"bf16\",\n      \"bytes\": 2,"));
  EXPECT_THAT(text, HasSubstr("\"graph\": 1,\n      \"same_as\": 1,"));
}

TEST(RegistryFile, IsWrittenAlsoWhenEmpty) {
  EXPECT_EQ(written(write_registry_file, HandMadeLog()), "{\n  \"metadata\": {},\n  \"entries\": []\n}");
}

TEST(IrFile, HoldsTheFirstGraphOnTopAndTheOthersInAList) {
  HandMadeLog made;
  for (const std::string_view line : {"first", "second"}) {
    ModuleDump module;
    module.stage = Stage::kTtnn;
    module.line = 7;
    module.lines = {line, "  %0 = x loc(\"a.1\")"};
    made.log.modules.push_back(module);
    made.profile.module_groups.emplace_back().by_stage.fill(kNone);
    made.profile.module_groups.back().by_stage[static_cast<std::size_t>(Stage::kTtnn)] =
        static_cast<std::uint32_t>(made.log.modules.size() - 1);
  }
  const std::string text = written(write_ir_file, made);
  EXPECT_THAT(text, ::testing::StartsWith("{\n  \"ttir\": {\n    \"text\": \"\",\n    \"loc_index\": {},"));
  EXPECT_THAT(
      text,
      HasSubstr(
          "\n  \"ttnn\": {\n    \"text\": \"first\\n  %0 = x loc(\\\"a.1\\\")\\n\",\n    \"loc_index\": {\n"
          "      \"a.1\": 2\n    },"));
  EXPECT_THAT(text, HasSubstr("\"graphs\": [\n    {\n      \"group\": 1,"));
  EXPECT_EQ(count(text, "first"), 1u);
  EXPECT_EQ(count(text, "second"), 1u);
}

TEST(WriteTtmemFiles, MakesTheFolderAndFourFiles) {
  const testing::TempFolder folder;
  const std::string target = folder.path("a/b");
  const auto paths = write_ttmem_files(HandMadeLog().log, HandMadeLog().profile, {target, "model"});
  ASSERT_TRUE(paths.has_value()) << paths.error().message;
  EXPECT_THAT(*paths,
              ::testing::ElementsAre(target + "/model_memory.json", target + "/model_operations.json",
                                     target + "/model_inputs_registry.json", target + "/model_ir.json"));
  for (const std::string& path : *paths) EXPECT_TRUE(std::filesystem::is_regular_file(path)) << path;
}

TEST(WriteTtmemFiles, RefusesANameThatIsAPath) {
  const testing::TempFolder folder;
  for (const std::string_view name : {"../x", "a/b", ""}) {
    EXPECT_FALSE(
        write_ttmem_files(HandMadeLog().log, HandMadeLog().profile, {folder.path(), std::string(name)})
            .has_value());
  }
}

TEST(WriteTtmemFiles, AFolderThatCannotBeMadeIsAnError) {
  const testing::TempFolder folder;
  std::ofstream(folder.path("plain")) << "x";
  EXPECT_FALSE(
      write_ttmem_files(HandMadeLog().log, HandMadeLog().profile, {folder.path("plain"), "m"}).has_value());
}

}  // namespace
}  // namespace ttscope::mem
