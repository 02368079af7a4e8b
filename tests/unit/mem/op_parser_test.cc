#include "mem/read/mlir_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/log_text.h"

namespace ttscope::mem {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// One op text, parsed.
class Op {
 public:
  explicit Op(std::string text) : text_(std::move(text)), tables_(log_), op_(parse_op(text_, tables_)) {}

  const OpText* operator->() const { return &op_; }
  std::string name() const { return op_.name == kNone ? "" : std::string(log_.names[op_.name]); }
  std::string callee() const { return op_.callee == kNone ? "" : std::string(log_.names[op_.callee]); }
  std::vector<std::string> results() const { return names(op_.results); }
  std::vector<std::string> operands() const { return names(op_.operands); }
  std::vector<std::string> inputs() const { return types(op_.input_types); }
  std::vector<std::string> outputs() const { return types(op_.result_types); }
  std::string part(TextPart where) const { return std::string(log_.part(op_, where)); }
  const TensorType& output(std::size_t i) const { return log_.types[log_.ids(op_.result_types)[i]]; }
  std::uint64_t unreadable_types() const { return tables_.unreadable_types(); }

 private:
  std::vector<std::string> names(IdRange range) const {
    std::vector<std::string> found;
    for (const std::uint32_t id : log_.ids(range)) found.emplace_back(log_.names[id]);
    return found;
  }
  std::vector<std::string> types(IdRange range) const {
    std::vector<std::string> found;
    for (const std::uint32_t id : log_.ids(range)) found.emplace_back(log_.type_texts[id]);
    return found;
  }

  std::string text_;
  RuntimeLog log_;
  LogTables tables_;
  OpText op_;
};

const std::string kTile = testing::dram_tensor(64, 128);

TEST(OpParser, ReadsTheGenericForm) {
  const Op op(
      R"(%11 = "ttnn.matmul"(%3, %10) <{transpose_a = false, transpose_b = false}> : (tensor<16x32xf32>, )" +
      kTile + ") -> " + kTile);
  EXPECT_EQ(op.name(), "ttnn.matmul");
  EXPECT_EQ(op->role, OpRole::kCompute);
  EXPECT_THAT(op.results(), ElementsAre("%11"));
  EXPECT_THAT(op.operands(), ElementsAre("%3", "%10"));
  EXPECT_THAT(op.inputs(), ElementsAre("tensor<16x32xf32>", kTile));
  EXPECT_THAT(op.outputs(), ElementsAre(kTile));
  EXPECT_EQ(op.part(op->attributes), "transpose_a = false, transpose_b = false");
  EXPECT_EQ(op.part(op->input_signature), "tensor<16x32xf32>, " + kTile);
  EXPECT_EQ(op.part(op->result_signature), kTile);
  EXPECT_FALSE(op->cut);
}

TEST(OpParser, ReadsAnOpWithoutProperties) {
  const Op op(R"(%4 = "ttnn.eq"(%1, %1) : (tensor<33x1xsi32>, tensor<33x1xsi32>) -> tensor<33x1xi1>)");
  EXPECT_EQ(op.name(), "ttnn.eq");
  EXPECT_THAT(op.operands(), ElementsAre("%1", "%1"));
  EXPECT_EQ(op->attributes.length, 0u);
  EXPECT_THAT(op.outputs(), ElementsAre("tensor<33x1xi1>"));
}

TEST(OpParser, ReadsPropertiesAndDiscardableAttributesTogether) {
  const Op op(R"(%8 = "ttnn.matmul"(%6, %7) <{transpose_a = false}> {ttcore.weight_dtype = "bfp_bf8"} : )"
              "(tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>");
  EXPECT_EQ(op.part(op->attributes), "transpose_a = false");
  EXPECT_EQ(op.part(op->discardable), R"(ttcore.weight_dtype = "bfp_bf8")");
  EXPECT_THAT(op.outputs(), ElementsAre("tensor<32x32xbf16>"));
}

TEST(OpParser, ReadsDiscardableAttributesAlone) {
  const Op op(
      R"(%33 = "ttnn.all_gather"(%32, %1) {ttir.decomposed_from_all_reduce} : (tensor<2xf32>, !ttnn.device) -> )"
      "tensor<4xf32>");
  EXPECT_EQ(op->attributes.length, 0u);
  EXPECT_EQ(op.part(op->discardable), "ttir.decomposed_from_all_reduce");
  EXPECT_THAT(op.inputs(), ElementsAre("tensor<2xf32>", "!ttnn.device"));
}

TEST(OpParser, PropertiesMayHoldBracesColonsAndArrows) {
  const Op op(
      R"(%12 = "ttnn.generic"(%1) <{a = #ttnn.program<ct = {b = 1 : i32}>, f = "-> } : (", m = (d0) -> (0, d0)}> : )"
      "(tensor<32xbf16>) -> tensor<64xbf16>");
  EXPECT_EQ(op.part(op->attributes),
            R"(a = #ttnn.program<ct = {b = 1 : i32}>, f = "-> } : (", m = (d0) -> (0, d0))");
  EXPECT_THAT(op.inputs(), ElementsAre("tensor<32xbf16>"));
  EXPECT_THAT(op.outputs(), ElementsAre("tensor<64xbf16>"));
}

TEST(OpParser, ReadsConstantsWithTypesInside) {
  const Op op(
      R"(%11 = "ttnn.constant"() <{value = dense<[1.0, 2.0]> : tensor<2xf32>}> : () -> tensor<2xf32>)");
  EXPECT_THAT(op.operands(), IsEmpty());
  EXPECT_THAT(op.inputs(), IsEmpty());
  EXPECT_THAT(op.outputs(), ElementsAre("tensor<2xf32>"));
}

TEST(OpParser, RegionsMayStandBeforeTheTypes) {
  const Op op(R"(%5 = "ttnn.generic"(%1) ({...}) : (tensor<2xf32>) -> tensor<2xf32>)");
  EXPECT_THAT(op.outputs(), ElementsAre("tensor<2xf32>"));
  EXPECT_FALSE(op->cut);
}

TEST(OpParser, SeveralResultsOfOneNameAreNumbered) {
  const Op op(
      R"(%9:2 = "ttnn.sort"(%8) <{dim = -1 : si8}> : (tensor<8xbf16>) -> (tensor<8xbf16>, tensor<8xui16>))");
  EXPECT_THAT(op.results(), ElementsAre("%9#0", "%9#1"));
  EXPECT_THAT(op.outputs(), ElementsAre("tensor<8xbf16>", "tensor<8xui16>"));
}

TEST(OpParser, ResultsMayHaveNames) {
  const Op op(
      R"(%query, %key, %value = "ttnn.split_query_key_value_and_split_heads"(%17, %18) : (tensor<4xf32>, )"
      "tensor<4xf32>) -> (tensor<1xf32>, tensor<2xf32>, tensor<3xf32>)");
  EXPECT_THAT(op.results(), ElementsAre("%query", "%key", "%value"));
  EXPECT_THAT(op.outputs(), SizeIs(3));
}

TEST(OpParser, UsesOfNumberedResultsKeepTheirNumber) {
  const Op op(
      R"(%10 = "ttnn.concat"(%8, %9#0, %9#1) <{dim = 0 : si32}> : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> )"
      "tensor<3xf32>");
  EXPECT_THAT(op.operands(), ElementsAre("%8", "%9#0", "%9#1"));
}

TEST(OpParser, ADeallocateHasNoResult) {
  const Op op(testing::deallocate_text("%9#1", kTile));
  EXPECT_EQ(op->role, OpRole::kDeallocate);
  EXPECT_THAT(op.results(), IsEmpty());
  EXPECT_THAT(op.operands(), ElementsAre("%9#1"));
  EXPECT_THAT(op.inputs(), ElementsAre(kTile));
  EXPECT_THAT(op.outputs(), IsEmpty());
  EXPECT_FALSE(op->cut);
}

TEST(OpParser, InPlaceOpsAreComputeOpsWithoutResults) {
  const Op op(
      R"("ttnn.update_cache"(%arg15, %84, %85) <{batch_offset = 0 : i32}> : (tensor<4xf32>, tensor<1xf32>, )"
      "tensor<1xsi32>) -> ()");
  EXPECT_EQ(op->role, OpRole::kCompute);
  EXPECT_THAT(op.results(), IsEmpty());
  EXPECT_THAT(op.operands(), ElementsAre("%arg15", "%84", "%85"));
  EXPECT_FALSE(op->may_be_view);
}

TEST(OpParser, GetDeviceMakesNoTensor) {
  const Op op(
      R"(%0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x2>}> : )"
      "() -> !ttnn.device");
  EXPECT_EQ(op->role, OpRole::kGetDevice);
  EXPECT_THAT(op.outputs(), ElementsAre("!ttnn.device"));
  EXPECT_FALSE(op.output(0).is_tensor);
}

TEST(OpParser, LoadCachedNamesItsFunctionAndOperands) {
  const Op op(
      "%18 = ttcore.load_cached(@main_const_eval_7, [%arg0, %3#1]) : (tensor<8xbf16>, tensor<9xbf16>) -> "
      "tensor<8x9xbf16>");
  EXPECT_EQ(op->role, OpRole::kLoadCached);
  EXPECT_EQ(op.name(), "ttcore.load_cached");
  EXPECT_EQ(op.callee(), "main_const_eval_7");
  EXPECT_THAT(op.operands(), ElementsAre("%arg0", "%3#1"));
  EXPECT_THAT(op.outputs(), ElementsAre("tensor<8x9xbf16>"));
}

TEST(OpParser, LoadCachedWithoutOperandsAndOfTheOldDialect) {
  const Op op(
      "%12:4 = ttcore.load_cached(@main_const_eval_12, []) : () -> (tensor<1xf32>, tensor<2xf32>, "
      "tensor<3xf32>, "
      "tensor<4xf32>)");
  EXPECT_THAT(op.operands(), IsEmpty());
  EXPECT_THAT(op.results(), ElementsAre("%12#0", "%12#1", "%12#2", "%12#3"));
  EXPECT_THAT(op.outputs(), SizeIs(4));
  const Op old("%1 = tt.load_cached(@f_const_eval_0, [%arg0]) : (tensor<1xf32>) -> tensor<2xf32>");
  EXPECT_EQ(old->role, OpRole::kLoadCached);
  EXPECT_EQ(old.callee(), "f_const_eval_0");
}

TEST(OpParser, CallsHaveACalleeWithAndWithoutDialectName) {
  const Op op(
      "%3:2 = func.call @cpu_hoisted_354902e9(%2) {ttir.cpu_hoist_call} : (tensor<1xf32>) -> (tensor<1xf32>, "
      "tensor<2xf32>)");
  EXPECT_EQ(op->role, OpRole::kCall);
  EXPECT_EQ(op.callee(), "cpu_hoisted_354902e9");
  EXPECT_EQ(op.part(op->discardable), "ttir.cpu_hoist_call");
  EXPECT_THAT(op.results(), ElementsAre("%3#0", "%3#1"));
  const Op bare("%13 = call @cpu_hoisted_add(%11, %12) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>");
  EXPECT_EQ(bare.name(), "func.call");
  EXPECT_EQ(bare->role, OpRole::kCall);
  EXPECT_THAT(bare.operands(), ElementsAre("%11", "%12"));
  const Op none("%1 = func.call @hoisted() : () -> tensor<8xsi32>");
  EXPECT_THAT(none.operands(), IsEmpty());
}

TEST(OpParser, TraceOpsMayRunPrograms) {
  const Op op(
      R"(%2 = "ttnn.capture_or_execute_trace"(%0, %arg0) <{capture_callee = @run_and_capture_trace_0_main}> : )"
      "(!ttnn.device, tensor<1xf32>) -> tensor<1xf32>");
  EXPECT_EQ(op->role, OpRole::kCall);
}

TEST(OpParser, OpsThatMayShareTheirOperandAreMarked) {
  for (const std::string name :
       {"ttnn.reshape", "ttnn.to_layout", "ttnn.typecast", "ttnn.region_0", "ttnn.annotate"}) {
    const Op op(testing::op_text("%1", name, "%0", "tensor<1xf32>", "tensor<1xf32>"));
    EXPECT_TRUE(op->may_be_view) << name;
  }
  EXPECT_FALSE(Op(testing::op_text("%1", "ttnn.add", "%0", "tensor<1xf32>", "tensor<1xf32>"))->may_be_view);
}

TEST(OpParser, ConvolutionsCanFreeTheirInput) {
  const std::string text =
      R"(%86 = "ttnn.conv2d"(%85, %21) <{conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16, )"
      "deallocate_activation = {}>}}> : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>";
  const auto with = [&](const std::string& value) {
    return std::string(text).replace(text.find("{}>"), 2, value);
  };
  EXPECT_TRUE(Op(with("true"))->frees_first_operand);
  EXPECT_FALSE(Op(with("false"))->frees_first_operand);
}

TEST(OpParser, IdentityMeshShardsAreMarked) {
  const std::string text =
      R"(%1 = "ttnn.mesh_shard"(%arg5, %0) <{shard_type = #ttcore.shard_type<identity>}> : )"
      "(tensor<8x4xf32>, !ttnn.device) -> tensor<4x4xf32>";
  EXPECT_TRUE(Op(text)->identity_mesh_shard);
  EXPECT_FALSE(Op(std::string(text).replace(text.find("identity"), 8, "devices."))->identity_mesh_shard);
}

TEST(OpParser, RankZeroDynamicAndEmptyTensorsAreTensors) {
  const Op scalar(R"(%0 = "ttnn.full"(%3) <{fill_value = 1.0 : f32}> : (!ttnn.device) -> tensor<f32>)");
  EXPECT_TRUE(scalar.output(0).is_tensor);
  EXPECT_THAT(scalar.output(0).shape, IsEmpty());
  const Op dynamic(R"(%16 = "ttnn.neg"(%15) : (tensor<?x32xbf16>) -> tensor<?x32xbf16>)");
  EXPECT_THAT(dynamic.output(0).shape, ElementsAre(-1, 32));
  const Op empty(
      R"(%19 = "ttnn.zeros"(%14) <{shape = #ttnn.shape<0x32>}> : (!ttnn.device) -> tensor<0x32xbf16>)");
  EXPECT_THAT(empty.output(0).shape, ElementsAre(0, 32));
  EXPECT_EQ(empty.unreadable_types(), 0u);
}

TEST(OpParser, AVeryLongConcatKeepsEveryOperand) {
  std::string operands;
  std::string types;
  for (int i = 0; i < 400; ++i) {
    operands += (i == 0 ? "%" : ", %") + std::to_string(i % 3);
    types += (i == 0 ? "" : ", ") + kTile;
  }
  const Op op(testing::op_text("%9", "ttnn.concat", operands, types, kTile));
  EXPECT_THAT(op.operands(), SizeIs(400));
  EXPECT_THAT(op.inputs(), SizeIs(400));
}

TEST(OpParser, TextsThatAreNoOpsAreKeptAsUnparsed) {
  for (const std::string text :
       {"", "hello", "%1", "%1 = ", "%1 = \"ttnn.add\"", "\"ttnn.add", "= (", "%1 = 3 + 4", "%9:0 = f()",
        "%9:99999 = \"ttnn.sort\"() : () -> ()", "%9:x = \"ttnn.sort\"() : () -> ()", "x, %1 = f()"}) {
    const Op op(text);
    EXPECT_EQ(op->role, OpRole::kUnparsed) << text;
    EXPECT_EQ(op->text, text);
    EXPECT_THAT(op.results(), IsEmpty()) << text;
  }
}

TEST(OpParser, EveryCutOfATextIsReadAsFarAsItGoes) {
  const std::string text = R"(%9:2 = "ttnn.sort"(%8, %arg1) <{dim = -1 : si8}> {a = "b"} : ()" + kTile +
                           ", tensor<1xf32>) -> (" + kTile + ", tensor<8xui16>)";
  for (std::size_t length = 0; length < text.size(); ++length) {
    const Op op(text.substr(0, length));
    if (op->role == OpRole::kUnparsed) continue;
    EXPECT_EQ(op.name(), "ttnn.sort") << length;
    EXPECT_THAT(op.results(), ElementsAre("%9#0", "%9#1")) << length;
    EXPECT_TRUE(op->cut) << length;
  }
  EXPECT_FALSE(Op(text)->cut);
}

TEST(OpParser, AnOpCutBehindItsArrowHasPartsInsideOfItsText) {
  for (const std::string end : {"-> ", "->  ", "-> \t"}) {
    const Op op(R"(%9 = "ttnn.neg"(%8) : ()" + kTile + ") " + end);
    EXPECT_EQ(op.name(), "ttnn.neg");
    EXPECT_EQ(op.part(op->input_signature), kTile);
    EXPECT_EQ(op.part(op->result_signature), "");
    EXPECT_TRUE(op->cut);
  }
}

TEST(OpParser, EqualSignaturesAreParsedOnce) {
  RuntimeLog log;
  LogTables tables(log);
  const std::string first = testing::op_text("%1", "ttnn.add", "%0, %0", kTile + ", " + kTile, kTile);
  const std::string second = testing::op_text("%2", "ttnn.multiply", "%1, %1", kTile + ", " + kTile, kTile);
  const OpText a = parse_op(first, tables);
  const OpText b = parse_op(second, tables);
  EXPECT_EQ(log.types.size(), 1u);
  EXPECT_EQ(log.ids(a.result_types)[0], log.ids(b.result_types)[0]);
  EXPECT_EQ(log.part(b, b.result_signature), kTile);
}

}  // namespace
}  // namespace ttscope::mem
