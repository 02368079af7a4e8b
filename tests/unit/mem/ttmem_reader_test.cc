#include "mem/read/ttmem_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "support/sanitized.h"
#include "support/temp_folder.h"

namespace ttscope::mem {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::ttscope::testing::TempFolder;

constexpr std::string_view kTensor =
    "tensor<32x32xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, "
    "#ttnn.buffer_type<dram>>, <interleaved>>>";

std::string view(double allocated) {
  return R"({"numBanks": 12, "totalBytesPerBank_MB": 1021.169, "totalBytesAllocatedPerBank_MB": )" +
         std::to_string(allocated) + R"(, "totalBytesFreePerBank_MB": )" +
         std::to_string(1021.169 - allocated) + R"(, "largestContiguousBytesFreePerBank_MB": 1000.5})";
}

/// A record of the memory file as the Python tool writes it; `more` begins with a comma.
std::string memory_record(std::string_view op, double dram, std::string_view more = "") {
  return R"({"op_type": "AnyOp", "memory": {"DRAM": )" + view(dram) + R"(}, "mlir_op": ")" + std::string(op) +
         "\"" + std::string(more) + "}";
}

std::string operation(std::string_view op, std::string_view result, std::string_view inputs,
                      std::string_view more = "") {
  return R"({"result": ")" + std::string(result) + R"(", "mlir_op": ")" + std::string(op) +
         R"(", "inputs": [)" + std::string(inputs) + R"(], "attributes": null, "input_types": ")" +
         std::string(kTensor) + R"(", "output_type": ")" + std::string(kTensor) + "\"" + std::string(more) +
         "}";
}

TtmemTexts texts_of(const std::string& memory) {
  TtmemTexts texts;
  texts.name = "run";
  texts.memory = PaddedText(memory);
  return texts;
}

std::string error_of(TtmemTexts texts) {
  const Result<RecordedRun> run = read_ttmem_texts(std::move(texts));
  return run ? "" : run.error().message;
}

RecordedRun run_of(TtmemTexts texts) {
  Result<RecordedRun> run = read_ttmem_texts(std::move(texts));
  EXPECT_TRUE(run.has_value()) << run.error().message;
  return run ? std::move(*run) : RecordedRun();
}

TEST(TtmemReader, ReadsTheStatesOfTheMemoryFileAlone) {
  const RecordedRun run =
      run_of(texts_of(R"({"metadata": {}, "operations": [)" + memory_record("ttnn.add", 1.5) + "," +
                      memory_record("ttnn.relu", 2.25, R"(, "loc": "dot.7")") + "]}"));
  ASSERT_EQ(run.log.ranks.size(), 1U);
  const RankLog& rank = run.log.ranks[0];
  ASSERT_EQ(rank.ops.size(), 2U);
  EXPECT_EQ(rank.blocks[1].allocated[0], 2250U);
  EXPECT_EQ(rank.blocks[1].present, 1);
  EXPECT_EQ(run.log.geometries[0].total[0], 1021169U);
  EXPECT_EQ(run.log.name_of(rank.ops[0]), "ttnn.add");
  EXPECT_EQ(display_loc(run.log.locs[rank.ops[1].loc]), "dot.7");
  EXPECT_THAT(run.absent_files,
              ElementsAre("run_operations.json", "run_inputs_registry.json", "run_ir.json"));
  EXPECT_FALSE(run.has_lines || run.has_programs || run.has_totals || run.modeled_memory);
}

TEST(TtmemReader, ReadsTheOlderFormWithoutMetadata) {
  EXPECT_EQ(run_of(texts_of("[" + memory_record("ttnn.add", 1) + "]")).log.ranks[0].ops.size(), 1U);
}

TEST(TtmemReader, OpTextsAreThoseOfTheLog) {
  TtmemTexts texts =
      texts_of("[" + memory_record("ttnn.add", 1) + "," + memory_record("ttcore.load_cached", 1) + "," +
               memory_record("ttnn.sort", 1) + "]");
  texts.operations = PaddedText(
      "[" + operation("ttnn.add", "%1", R"("%0", "%arg1")", R"(, "discardable_attributes": "a = 1")") + "," +
      operation("ttcore.load_cached", "%2", R"("@main_const_eval_0", "[%arg1", "%arg2]")") + "," +
      operation("ttnn.sort", "%3", R"("%2")", R"(, "results": ["%3#0", "%3#1"])") + "]");
  const RecordedRun run = run_of(std::move(texts));
  const std::string types = " : (" + std::string(kTensor) + ") -> " + std::string(kTensor);
  EXPECT_EQ(run.log.op_texts[0].text, "%1 = \"ttnn.add\"(%0, %arg1) {a = 1}" + types);
  EXPECT_EQ(run.log.op_texts[1].text, "%2 = ttcore.load_cached(@main_const_eval_0, [%arg1, %arg2])" + types);
  EXPECT_EQ(run.log.op_texts[1].role, OpRole::kLoadCached);
  EXPECT_EQ(run.log.op_texts[2].text, "%3:2 = \"ttnn.sort\"(%2)" + types);
  EXPECT_EQ(run.log.op_texts[2].results.count, 2U);
  EXPECT_EQ(run.log.types[run.log.ids(run.log.op_texts[0].result_types)[0]].padded_bytes, 2048);
}

TEST(TtmemReader, EscapesInTextsAreUndone) {
  TtmemTexts texts = texts_of("[" + memory_record("ttnn.add", 1, R"(, "loc": "a\u00e9\n<\/script>")") + "]");
  const RecordedRun run = run_of(std::move(texts));
  EXPECT_EQ(display_loc(run.log.locs[run.log.ranks[0].ops[0].loc]), "a\xC3\xA9\n</script>");
}

TEST(TtmemReader, ConstEvalIsAProgramWhereOthersAreNotRecorded) {
  const std::string inside = R"(, "const_eval_graph": "f_const_eval", "const_eval_cache_miss": true)";
  TtmemTexts texts =
      texts_of("[" + memory_record("ttcore.load_cached", 1) + "," + memory_record("ttnn.add", 1, inside) +
               "," + memory_record("ttnn.add", 1, inside) + "," + memory_record("ttnn.add", 1) + "]");
  texts.operations =
      PaddedText("[" + operation("ttcore.load_cached", "%0", R"("@f_const_eval", "[]")") + "," +
                 operation("ttnn.add", "%1", "") + "," + operation("ttnn.add", "%2", "") + "," +
                 operation("ttnn.add", "%3", "") + "]");
  const RecordedRun run = run_of(std::move(texts));
  const RankLog& rank = run.log.ranks[0];
  ASSERT_EQ(rank.programs.size(), 1U);
  EXPECT_EQ(rank.programs[0].first_op, 1U);
  EXPECT_EQ(rank.programs[0].end_op, 3U);
  EXPECT_EQ(rank.programs[0].caller_op, 0U);
  EXPECT_TRUE(rank.ops[0].cache_miss);
  EXPECT_EQ(rank.ops[3].instance, kNone);
  EXPECT_FALSE(run.has_programs);
}

/// What only ttscope writes into the files.
std::string own(std::string_view program, int instance, std::string_view more = "") {
  return R"(, "memory_source": "logged", "line": 7, "rank": 0, "program": ")" + std::string(program) +
         R"(", "program_instance": )" + std::to_string(instance) + std::string(more);
}

TEST(TtmemReader, ProgramsOfOurFilesNestAsInTheLog) {
  TtmemTexts texts = texts_of("[" + memory_record("ttcore.load_cached", 1, own("main", 4)) + "," +
                              memory_record("ttnn.add", 1, own("f_const_eval", 5)) + "," +
                              memory_record("ttnn.add", 1, own("main", 4)) + "," +
                              memory_record("ttnn.add", 1, own("main", 6)) + "]");
  texts.operations = PaddedText("[" + operation("ttcore.load_cached", "%0", R"("@f_const_eval")") + "," +
                                operation("ttnn.add", "%1", "") + "," + operation("ttnn.add", "%2", "") +
                                "," + operation("ttnn.add", "%3", "") + "]");
  const RecordedRun run = run_of(std::move(texts));
  const RankLog& rank = run.log.ranks[0];
  ASSERT_EQ(rank.programs.size(), 3U);
  EXPECT_EQ(rank.programs[1].parent, 0U);
  EXPECT_EQ(rank.programs[0].end_op, 3U);
  EXPECT_EQ(rank.programs[2].first_op, 3U);
  EXPECT_EQ(rank.events.size(), 6U);
  EXPECT_TRUE(run.has_programs && run.has_lines);
}

TEST(TtmemReader, AMeasuredStateAfterAnOpIsKeptWhereTheNextOneDiffers) {
  const std::string after =
      R"(, "memory_after_confidence": "measured", "memory_after": {"DRAM": )" + view(9) + "}";
  const std::string same =
      R"(, "memory_after_confidence": "measured", "memory_after": {"DRAM": )" + view(3) + "}";
  const RecordedRun run = run_of(texts_of("[" + memory_record("ttnn.add", 1, own("main", 0, after)) + "," +
                                          memory_record("ttnn.add", 2, own("main", 0, same)) + "," +
                                          memory_record("ttnn.add", 3, own("main", 0)) + "]"));
  const RankLog& rank = run.log.ranks[0];
  ASSERT_EQ(rank.blocks.size(), 4U);
  EXPECT_EQ(rank.blocks[1].moment, MemoryBlock::Moment::kAfterSubmit);
  EXPECT_EQ(rank.blocks[1].before_op, 1U);
  EXPECT_EQ(rank.blocks[1].allocated[0], 9000U);
  EXPECT_EQ(rank.ops[2].block, 3U);
}

TEST(TtmemReader, ModeledStatesGiveWayToLoggedOnes) {
  const std::string modeled = R"(, "memory_source": "modelled")";
  const RecordedRun all = run_of(texts_of("[" + memory_record("ttnn.add", 1, modeled) + "]"));
  EXPECT_TRUE(all.modeled_memory);
  EXPECT_EQ(all.log.ranks[0].blocks.size(), 1U);
  const RecordedRun some =
      run_of(texts_of("[" + memory_record("ttnn.add", 1, modeled) + "," + memory_record("ttnn.add", 2) + "," +
                      memory_record("ttnn.add", 2, R"(, "memory_source": "repeated")") + "]"));
  EXPECT_FALSE(some.modeled_memory);
  ASSERT_EQ(some.log.ranks[0].blocks.size(), 1U);
  EXPECT_EQ(some.log.ranks[0].ops[0].block, kNone);
  EXPECT_EQ(some.log.ranks[0].ops[1].block, 0U);
  EXPECT_EQ(some.log.ranks[0].ops[2].block, kNone);
}

TEST(TtmemReader, TotalsAreThoseBeforeTheOp) {
  const auto totals = [](int tensors) {
    return R"(, "unpadded_memory": {"DRAM": {"unpadded_bytes": 10, "padded_bytes": 20, "num_tensors": )" +
           std::to_string(tensors) + "}}";
  };
  const auto records = [&](const std::string& more) {
    return "[" + memory_record("ttnn.add", 1, totals(3) + more) + "," +
           memory_record("ttnn.add", 1, totals(5) + more) + "]";
  };
  const RecordedRun python = run_of(texts_of(records("")));  // it counts after the op
  EXPECT_EQ(python.ops[0][0].live_before[0].tensors, 0U);
  EXPECT_EQ(python.ops[0][1].live_before[0].tensors, 3U);
  const RecordedRun ours = run_of(texts_of(records(R"(, "memory_source": "logged")")));
  EXPECT_EQ(ours.ops[0][0].live_before[0].tensors, 3U);
  EXPECT_EQ(ours.ops[0][1].live_before[0].padded_bytes, 20);
  EXPECT_TRUE(ours.has_totals);
}

TEST(TtmemReader, RanksAreToldApart) {
  const auto of_rank = [](int rank) {
    return memory_record("ttnn.add", 1, ", \"rank\": " + std::to_string(rank));
  };
  const RecordedRun run = run_of(texts_of("[" + of_rank(3) + "," + of_rank(5) + "," + of_rank(3) + "]"));
  ASSERT_EQ(run.log.ranks.size(), 2U);
  EXPECT_EQ(run.log.ranks[0].number, 3);
  EXPECT_EQ(run.log.ranks[0].ops.size(), 2U);
  EXPECT_EQ(run.ops[1].size(), 1U);
}

TEST(TtmemReader, ReadsRegistryAndModules) {
  TtmemTexts texts = texts_of("[" + memory_record("ttnn.add", 1) + "]");
  texts.registry = PaddedText(
      R"({"metadata": {}, "entries": [{"index": 0, "ssa": "%arg1", "name": "w", "type": "parameter",
          "shape": "2304x?", "dtype": "bf16", "bytes": 12, "kv_cache": true, "const_eval_graphs": ["f"]}]})");
  texts.modules = PaddedText(
      R"({"ttir": {"text": "", "loc_index": {}}, "ttnn": {"text": "module {\n}\n", "loc_index": {"a": 1}, "line": 9},
          "graphs": [{"group": 1, "programs": ["other"], "ttir": {"text": "x"}, "ttnn": {"text": ""}}]})");
  const RecordedRun run = run_of(std::move(texts));
  ASSERT_EQ(run.arguments.size(), 1U);
  EXPECT_EQ(run.log.names[run.arguments[0].ssa], "%arg1");
  EXPECT_EQ(run.arguments[0].role, ArgumentRole::kParameter);
  EXPECT_THAT(run.arguments[0].shape, ElementsAre(2304, -1));
  ASSERT_EQ(run.log.modules.size(), 2U);
  EXPECT_THAT(run.log.modules[0].lines, ElementsAre("module {", "}"));
  EXPECT_EQ(run.log.modules[0].line, 9U);
  ASSERT_EQ(run.compilations.size(), 2U);
  EXPECT_THAT(run.compilations[1].programs, ElementsAre("other"));
}

TEST(TtmemReader, ErrorsNameTheFileAndWhatWouldBeRight) {
  EXPECT_THAT(error_of(texts_of("")), HasSubstr("run_memory.json: not the JSON that"));
  EXPECT_THAT(error_of(texts_of("[{\"mlir_op\"")), HasSubstr("run_memory.json: not the JSON that"));
  EXPECT_THAT(error_of(texts_of("{\"peaks\": 3}")),
              HasSubstr("run_memory.json: has no list of operations; expected"));
  EXPECT_THAT(error_of(texts_of("[]")), HasSubstr("no operation was recorded"));
  EXPECT_THAT(error_of(texts_of("[{\"op_type\": null}]")), HasSubstr("record 0 has no mlir_op"));
  EXPECT_THAT(error_of(texts_of("[" + memory_record("a", 1, ", \"index\": 4") + "]")),
              HasSubstr("record 0 has index 4, expected 0"));
  EXPECT_THAT(error_of(texts_of("[" + memory_record("a", 1) + "] true")), HasSubstr("run_memory.json: "));
  TtmemTexts texts = texts_of("[" + memory_record("ttnn.add", 1) + "]");
  texts.operations = PaddedText(std::string("{}"));
  EXPECT_THAT(error_of(texts), HasSubstr("run_operations.json: is no array; expected"));
  texts.operations = PaddedText("[" + operation("ttnn.sub", "%1", "") + "]");
  EXPECT_THAT(error_of(texts), HasSubstr("record 0 is ttnn.add, in the operations file it is ttnn.sub"));
  texts.operations = PaddedText(std::string("[]"));
  EXPECT_THAT(error_of(texts),
              HasSubstr("more operations than the 0 of the operations file: not of one run"));
  texts.operations =
      PaddedText("[" + operation("ttnn.add", "%1", "") + "," + operation("ttnn.add", "%2", "") + "]");
  EXPECT_THAT(error_of(texts), HasSubstr("has 1 operations, run_operations.json has 2: not of one run"));
  texts.operations.reset();
  texts.registry = PaddedText(std::string("[1]"));
  EXPECT_THAT(error_of(texts), HasSubstr("run_inputs_registry.json: has no entries; expected"));
  texts.registry.reset();
  texts.modules = PaddedText(std::string("{}"));
  EXPECT_THAT(error_of(texts), HasSubstr("run_ir.json: has no modules; expected"));
}

TEST(TtmemReader, ARunWithoutOperationsWasReadAndHasNothingInIt) {
  const Result<RecordedRun> run = read_ttmem_texts(texts_of(R"({"operations": []})"));
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, ErrorCode::kNothingFound);
}

TEST(TtmemReader, AByteOrderMarkIsNoPartOfAText) {
  EXPECT_EQ(PaddedText(std::string("\xEF\xBB\xBF[]")).text(), "[]");
}

TEST(TtmemReader, FieldsOfTheWrongTypeAreAsIfTheyWereNotThere) {
  const RecordedRun run = run_of(texts_of(
      R"([{"mlir_op": "a", "loc": 7, "line": "x", "rank": [], "index": null, "program": {}, "memory": [1],
           "unpadded_memory": {"DRAM": [2], "L1": {"num_tensors": -5, "padded_bytes": 1e300}}, "own_growth": 3},
          {"mlir_op": "b", "memory": {"DRAM": {"totalBytesAllocatedPerBank_MB": -1, "numBanks": "many"},
           "L1": {"totalBytesAllocatedPerBank_MB": 1e200}}},
          {"mlir_op": null}, {"mlir_op": "c", "line": 99999999999999}])"));
  EXPECT_EQ(run.log.ranks[0].ops.size(), 4U);
  EXPECT_TRUE(run.log.ranks[0].blocks.empty());
  EXPECT_EQ(run.log.name_of(run.log.ranks[0].ops[2]), "unknown");
}

TEST(TtmemReader, EveryCutOfAFileIsAnErrorOrReadable) {
  const std::string whole = R"({"metadata": {}, "operations": [)" +
                            memory_record("ttnn.add", 1, own("main", 0)) + "," +
                            memory_record("ttnn.add", 2) + "]}";
  const std::size_t step = testing::kSanitized ? 7 : 1;
  for (std::size_t length = 0; length < whole.size(); length += step) {
    EXPECT_NE(error_of(texts_of(whole.substr(0, length))), "") << length;
  }
}

TEST(TtmemReader, DeepNestingIsPassedOver) {
  const std::string deep(100000, '[');
  const std::string closed = deep + std::string(100000, ']');
  const RecordedRun run =
      run_of(texts_of("[" + memory_record("ttnn.add", 1, ", \"extra\": " + closed) + "]"));
  EXPECT_EQ(run.log.ranks[0].ops.size(), 1U);
  EXPECT_NE(error_of(texts_of(deep)), "");
}

TEST(TtmemReader, TooManyRanksAreAnError) {
  std::string records;
  for (int i = 0; i < 5000; ++i) {
    if (i > 0) records += ',';
    records += memory_record("a", 1, ", \"rank\": " + std::to_string(i));
  }
  EXPECT_THAT(error_of(texts_of("[" + records + "]")), HasSubstr("more than 4096 ranks"));
}

TEST(TtmemFolder, TheOnlyRunIsFoundAndSeveralAreListed) {
  const TempFolder folder;
  EXPECT_THAT(find_run_name(folder.path()).error().message, HasSubstr("no NAME_memory.json here; expected"));
  folder.file("bert_memory.json", "[" + memory_record("ttnn.add", 1) + "]");
  EXPECT_EQ(*find_run_name(folder.path()), "bert");
  EXPECT_TRUE(read_ttmem_files(folder.path(), "bert").has_value());
  folder.file("vit_memory.json", "[]");
  EXPECT_THAT(find_run_name(folder.path()).error().message,
              HasSubstr("several runs here (bert, vit); choose one with --name"));
  EXPECT_THAT(read_ttmem_files(folder.path(), "gpt").error().message,
              HasSubstr("gpt_memory.json: no such file"));
  EXPECT_THAT(find_run_name(folder.path("nowhere")).error().message, HasSubstr("No such file"));
}

TEST(TtmemFolder, FilesOfWholePagesAreReadToTheirEnd) {
  const TempFolder folder;
  std::string memory = "[" + memory_record("ttnn.add", 1) + "]";
  memory.insert(1, 4096 - memory.size() % 4096, ' ');
  folder.file("x_memory.json", memory);
  EXPECT_TRUE(read_ttmem_files(folder.path(), "x").has_value());
  folder.file("x_ir.json", "");
  EXPECT_THAT(read_ttmem_files(folder.path(), "x").error().message, HasSubstr("x_ir.json: not the JSON"));
}

}  // namespace
}  // namespace ttscope::mem
