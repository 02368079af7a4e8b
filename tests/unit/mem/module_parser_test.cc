#include "mem/read/module_dumps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/log_text.h"
#include "support/read_text.h"

namespace ttscope::mem {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// A module text, parsed.
class Module {
 public:
  explicit Module(std::string text) : text_(std::move(text)), tables_(log_) {
    const std::string_view all = text_;
    for (std::size_t at = 0; at < all.size();) {
      const std::size_t end = std::min(all.find('\n', at), all.size());
      module_.lines.push_back(all.substr(at, end - at));
      at = end + 1;
    }
    parsed_ = parse_module(module_, tables_);
  }

  bool parsed() const { return parsed_; }
  const std::vector<FunctionInfo>& functions() const { return module_.functions; }
  const ArgumentInfo& argument(std::size_t i) const { return module_.functions.at(0).arguments.at(i); }
  std::string name(std::uint32_t id) const { return id == kNone ? "" : std::string(log_.names[id]); }
  const TensorType& type(const ArgumentInfo& a) const { return log_.types.at(a.type); }
  std::string_view type_text(std::uint32_t id) const { return log_.type_texts[id]; }

 private:
  std::string text_;
  RuntimeLog log_;
  LogTables tables_;
  ModuleDump module_;
  bool parsed_ = false;
};

const std::string kInline = testing::dram_tensor(64, 128);

TEST(ModuleParser, TheInlineEraHasWholeLayoutsInTheHeader) {
  const Module module("module {\n  func.func @main(%arg0: " + kInline +
                      R"( {ttcore.argument_type = #ttcore.argument_type<parameter>, )" +
                      R"(ttir.name = "wq"}, %arg1: tensor<2x3xf32>) -> )" + kInline +
                      " {\n    return %arg0 : " + kInline + "\n  }\n}");
  ASSERT_TRUE(module.parsed());
  EXPECT_EQ(module.functions()[0].name, "main");
  ASSERT_THAT(module.functions()[0].arguments, SizeIs(2));
  EXPECT_EQ(module.name(module.argument(0).ssa), "%arg0");
  EXPECT_EQ(module.argument(0).role, ArgumentRole::kParameter);
  EXPECT_EQ(module.argument(0).model_name, "wq");
  EXPECT_EQ(module.type(module.argument(0)).padded_bytes, 8 * 2048);
  EXPECT_EQ(module.argument(1).role, ArgumentRole::kUnknown);
  EXPECT_EQ(module.type(module.argument(1)).logical_bytes, 24);
}

const char* const kAliases =
    "#dram = #ttnn.buffer_type<dram>\n"
    "#ttnn_layout = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, "
    "<interleaved>>\n"
    "#ttnn_layout1 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x128xf32, #dram>, "
    "<interleaved>>\n"
    "#loc3 = loc(\"p1.4\")\n";

TEST(ModuleParser, TheAliasEraIsWrittenOut) {
  const Module module(
      std::string(kAliases) +
      R"(    func.func @main(%arg0: tensor<32xbf16, #ttnn_layout> {ttcore.argument_type = #ttcore.argument_type<constant>, )"
      R"(ttir.name = "kv_norm.weight"} loc("p0.1"), %arg1: tensor<64x128xf32, #ttnn_layout1> )"
      "{ttcore.argument_type = #ttcore.argument_type<input>} loc(#loc3)) -> tensor<32xbf16, #ttnn_layout> "
      "attributes {tt.function_type = \"forward_device\"} {");
  ASSERT_TRUE(module.parsed());
  EXPECT_EQ(module.argument(0).role, ArgumentRole::kConstant);
  EXPECT_EQ(module.argument(0).model_name, "kv_norm.weight");
  EXPECT_EQ(module.type(module.argument(0)).padded_bytes, 2048);
  EXPECT_EQ(module.type(module.argument(0)).buffer, BufferType::kDram);
  EXPECT_EQ(module.argument(1).role, ArgumentRole::kInput);
  EXPECT_EQ(module.type(module.argument(1)).padded_bytes, 64 * 128 * 4);
  EXPECT_FALSE(module.functions()[0].is_const_eval);
}

TEST(ModuleParser, AliasedTypesAreThoseOfOpLines) {
  RuntimeLog log;
  LogTables tables(log);
  const std::uint32_t from_op = tables.type(testing::dram_tensor(64, 128));
  const std::string text =
      "#dram = #ttnn.buffer_type<dram>\n"
      "#l = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x4x!ttcore.tile<32x32, bf16>, #dram>, "
      "<interleaved>>\nfunc.func @main(%arg0: tensor<64x128xbf16, #l>) {";
  ModuleDump module;
  for (std::size_t at = 0, end = 0; at < text.size(); at = end + 1) {
    end = std::min(text.find('\n', at), text.size());
    module.lines.push_back(std::string_view(text).substr(at, end - at));
  }
  ASSERT_TRUE(parse_module(module, tables));
  EXPECT_EQ(module.functions[0].arguments[0].type, from_op);
}

TEST(ModuleParser, JaxFunctionsArePublicAndHaveNoRoles) {
  const Module module(R"(module @jit_f attributes {mhlo.num_partitions = 1 : i32} {
  func.func public @main(%arg0: tensor<2x4xf32> {mhlo.sharding = "{devices=[2,1]<=[2]}"}, %arg1: tensor<4xf32>) -> (tensor<2xf32> {jax.result_info = ""}) {
    return %0 : tensor<2xf32>
  })");
  ASSERT_TRUE(module.parsed());
  EXPECT_EQ(module.functions()[0].name, "main");
  EXPECT_THAT(module.functions()[0].arguments, SizeIs(2));
  EXPECT_EQ(module.argument(0).role, ArgumentRole::kUnknown);
  EXPECT_EQ(module.argument(0).model_name, "");
  EXPECT_THAT(module.functions()[0].returned, SizeIs(1));
}

TEST(ModuleParser, TheOldDialectIsUnderstood) {
  const Module module(
      R"(func.func @forward(%arg0: tensor<64x128xbf16, #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, )"
      R"(memref<2x4x!tt.tile<32x32, bf16>, #tt.memory_space<dram>>, interleaved>> )"
      R"({tt.argument_type = #tt.argument_type<parameter>, ttir.name = "w"}) {)");
  ASSERT_TRUE(module.parsed());
  EXPECT_EQ(module.argument(0).role, ArgumentRole::kParameter);
  EXPECT_EQ(module.type(module.argument(0)).padded_bytes, 8 * 2048);
}

TEST(ModuleParser, CachesAndLocalShapesAreRead) {
  const Module module(
      R"(func.func @main(%arg0: tensor<512x1024xf32> {ttcore.argument_type = #ttcore.argument_type<input>, ttcore.kv_cache, )"
      "ttcore.local_shape = #ttcore<local_shape local_shape = tensor<256x1024xf32>>, "
      "ttcore.shard_status = #ttcore.shard_status<presharded>}, "
      "%arg1: tensor<8x4xf32> {ttcore.runtime_tensor_sharding = #ttcore<runtime_tensor_sharding shard_status "
      "= <presharded>, "
      "local_shape = tensor<4x4xf32>>}, "
      "%arg2: tensor<32xf32> {ttcore.local_shape = #ttcore<local_shape local_shape = tensor<32xf32>>, "
      "ttcore.shard_status = #ttcore.shard_status<unsharded>}) {");
  ASSERT_THAT(module.functions().at(0).arguments, SizeIs(3));
  EXPECT_TRUE(module.argument(0).kv_cache);
  EXPECT_TRUE(module.argument(0).presharded);
  EXPECT_THAT(module.argument(0).local_shape, ElementsAre(256, 1024));
  EXPECT_THAT(module.argument(1).local_shape, ElementsAre(4, 4));
  EXPECT_TRUE(module.argument(1).presharded);
  EXPECT_FALSE(module.argument(1).kv_cache);
  EXPECT_FALSE(module.argument(2).presharded);
  EXPECT_TRUE(module.argument(2).has_local_shape);
}

TEST(ModuleParser, IdentityMeshShardsGiveTheTypeOnOneDevice) {
  const Module module(R"(func.func private @main_const_eval_0(%arg0: tensor<8x4xf32>) {
  %1 = "ttnn.mesh_shard"(%arg0, %0) <{shard_type = #ttcore.shard_type<identity>}> : (tensor<8x4xf32>, !ttnn.device) -> tensor<4x4xf32>
}
func.func @main(%arg0: tensor<1xf32>, %arg1: tensor<8x4xf32>) {
  %0 = ttcore.load_cached(@main_const_eval_0, [%arg1]) : (tensor<8x4xf32>) -> tensor<4x4xf32>
})");
  ASSERT_THAT(module.functions(), SizeIs(2));
  const auto& arguments = module.functions()[1].arguments;
  EXPECT_EQ(arguments[0].device_type, kNone);
  ASSERT_NE(arguments[1].device_type, kNone) << "what const-eval shards is the caller's";
  EXPECT_EQ(module.type_text(arguments[1].device_type), "tensor<4x4xf32>");
}

TEST(ModuleParser, ConstEvalFunctionsAndTheirCallsAreFound) {
  const Module module(
      R"(func.func private @main_const_eval_0(%arg0: tensor<1xf32>) -> tensor<1xf32> attributes {const_eval} {
  return %arg0 : tensor<1xf32>
}
func.func private @prepare(%arg0: tensor<1xf32>) attributes {tt.function_type = "const_eval"} {
}
func.func @main(%arg0: tensor<1xf32>, %arg1: tensor<1xf32>) {
  %0 = ttcore.load_cached(@main_const_eval_0, [%arg1]) : (tensor<1xf32>) -> tensor<1xf32>
  %1:2 = ttcore.load_cached(@main_const_eval_1, []) : () -> (tensor<1xf32>, tensor<1xf32>)
  return %0, %1#1 : tensor<1xf32>, tensor<1xf32>
})");
  ASSERT_THAT(module.functions(), SizeIs(3));
  EXPECT_TRUE(module.functions()[0].is_const_eval);
  EXPECT_TRUE(module.functions()[1].is_const_eval);
  const FunctionInfo& main = module.functions()[2];
  EXPECT_FALSE(main.is_const_eval);
  ASSERT_THAT(main.calls, SizeIs(2));
  EXPECT_EQ(main.calls[0].first, "main_const_eval_0");
  ASSERT_THAT(main.calls[0].second, SizeIs(1));
  EXPECT_EQ(module.name(main.calls[0].second[0]), "%arg1");
  EXPECT_THAT(main.calls[1].second, IsEmpty());
  ASSERT_THAT(main.returned, SizeIs(2));
  EXPECT_EQ(module.name(main.returned[1]), "%1#1");
}

TEST(ModuleParser, NamesWithDotsQuotesAndSpacesAreWhole) {
  const Module module(R"(func.func @"odd name"(%arg0: tensor<1xf32> {ttir.name = "a.b, c) {d}"}) {)");
  ASSERT_TRUE(module.parsed());
  EXPECT_EQ(module.functions()[0].name, "odd name");
  EXPECT_EQ(module.argument(0).model_name, "a.b, c) {d}");
}

TEST(ModuleParser, AHeaderOverSeveralLinesIsJoined) {
  const Module module(
      "func.func @main(%arg0: tensor<1xf32>,\n    %arg1: tensor<2xf32>\n    ) {\n  return %arg1 : "
      "tensor<2xf32>");
  ASSERT_TRUE(module.parsed());
  EXPECT_THAT(module.functions()[0].arguments, SizeIs(2));
  EXPECT_THAT(module.functions()[0].returned, SizeIs(1));
}

TEST(ModuleParser, TextsWithoutFunctionsAreNotModules) {
  for (const std::string text :
       {"", "module {", "func.func", "func.func @main", "#a = b\n}", "return %0 : f32"}) {
    EXPECT_FALSE(Module(text).parsed()) << text;
  }
}

TEST(ModuleParser, AliasesThatNameEachOtherEnd) {
  const Module module(
      "#a = x<#b, #b, #b, #b, #b, #b, #b, #b>\n#b = y<#a, #a, #a, #a, #a, #a, #a, #a>\n"
      "func.func @main(%arg0: tensor<1xf32, #a>) {");
  EXPECT_TRUE(module.parsed());
  EXPECT_LT(module.type(module.argument(0)).text.size(), 100000u);
}

const std::string kSystem =
    "#system_desc = #ttcore.system_desc<[{role = host, target_triple = \"x86_64\"}], [{arch = <wormhole_b0>, "
    "grid = 8x8, "
    "coord_translation_offsets = 18x18, l1_size = 1499136, num_dram_channels = 12, dram_channel_size = "
    "1073741824, "
    "noc_l1_address_align_bytes = 16, pcie_address_align_bytes = 32, noc_dram_address_align_bytes = 32, "
    "l1_unreserved_base = 103712, "
    "erisc_l1_unreserved_base = 98304, dram_unreserved_base = 1920032, dram_unreserved_end = 1073119552, "
    "supported_data_types = [<f32>, <bf16>]}, {arch = <blackhole>, grid = 10x12, num_dram_channels = 8}], "
    "[0], [1 : i32]>";

TEST(SystemDescription, HasTheFactsOfTheFirstChip) {
  const auto system = parse_system_description(kSystem);
  ASSERT_TRUE(system);
  EXPECT_EQ(system->arch, "wormhole");
  EXPECT_EQ(system->dram_channels, 12u);
  EXPECT_EQ(system->worker_cores, 64u);
  EXPECT_EQ(system->dram_bytes_per_channel, 1073119552 - 1920032);
  EXPECT_EQ(system->l1_bytes, 1499136 - 103712);
  EXPECT_EQ(system->dram_alignment_bytes, 32u);
}

TEST(SystemDescription, OtherLinesAndNonsenseAreNone) {
  for (const std::string line : {"", "#loc = loc(unknown)", "#system_desc = #ttcore.system_desc<>",
                                 "#system_desc = #ttcore.system_desc<[{arch = <wormhole_b0>, "
                                 "num_dram_channels = 99999999999999999999}]>",
                                 "#system_desc = #ttcore.system_desc<[{arch = "}) {
    EXPECT_FALSE(parse_system_description(line)) << line;
  }
}

TEST(ModuleDumps, WithoutEndMarkEndAtTheNextLoggedLine) {
  const std::string prefix =
      "2025-09-10 19:57:53.093 (  13.930s) [        D17FA6C0]      module_builder.cc:278      1| ";
  const std::string body = "module {\n  func.func @main(%arg0: tensor<1xf32>) {\n  }\n}\n";
  testing::LogText log;
  const std::string text = prefix + "TTIR Module:\n" + body + prefix + "TTNN Module:\n" + kSystem + "\n" +
                           body + log.start("main").finish("main").text();
  const RuntimeLog parsed = testing::read_text(text);
  ASSERT_THAT(parsed.modules, SizeIs(2));
  EXPECT_EQ(parsed.modules[0].stage, Stage::kTtir);
  EXPECT_EQ(parsed.modules[0].line, 1u);
  EXPECT_THAT(parsed.modules[0].lines, SizeIs(4));
  EXPECT_EQ(parsed.modules[1].stage, Stage::kTtnn);
  EXPECT_THAT(parsed.modules[1].lines, SizeIs(5));
  EXPECT_THAT(parsed.modules[1].functions, SizeIs(1));
  ASSERT_THAT(parsed.systems, SizeIs(1));
  EXPECT_EQ(parsed.systems[0].dram_channels, 12u);
  EXPECT_EQ(parsed.problems.count(LogProblem::kModuleCut), 0u);
}

TEST(ModuleDumps, CutAndEmptyDumpsAreCounted) {
  testing::LogText log;
  log.module("ttir", "nothing of a module");
  std::string text =
      log.text() + testing::LogText().module("ttnn", "func.func @main(%arg0: tensor<1xf32>) {").text();
  text.resize(text.size() - 60);
  const RuntimeLog parsed = testing::read_text(text);
  ASSERT_THAT(parsed.modules, SizeIs(2));
  EXPECT_EQ(parsed.problems.count(LogProblem::kModuleUnparsed), 1u);
  EXPECT_EQ(parsed.problems.count(LogProblem::kModuleCut), 1u);
  EXPECT_FALSE(parsed.modules[1].complete);
  EXPECT_THAT(parsed.modules[1].functions, SizeIs(1));
}

}  // namespace
}  // namespace ttscope::mem
