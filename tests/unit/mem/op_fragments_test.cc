#include "mem/write/ttmem_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/mem/hand_made_trace.h"

namespace ttscope::mem {
namespace {

using testing::HasSubstr;

TEST(OpFragments, HeadGoesFromTheBraceToTheLocationInTheOldOrder) {
  HandMadeLog made;
  const auto type = made.add_type({33, 1});
  const auto device = made.add_type({}, BufferType::kNone);
  made.add_op({.name = "ttnn.to_device",
               .results = {"%1"},
               .operands = {"%arg0", "%0"},
               .input_types = {type, device},
               .result_types = {type}});
  OpFragments fragments(made.log);
  const OpFragment fragment = fragments.get(made.rank().ops[0]);
  EXPECT_EQ(fragment.head, R"(
  {
    "result": "%1",
    "mlir_op": "ttnn.to_device",
    "inputs": [
      "%arg0",
      "%0"
    ],
    "attributes": null,
    "input_types": null,
    "output_type": null,
    "input_shapes": [
      "33x1",
      null
    ],
    "input_dtypes": [
      "bf16",
      null
    ],
    "output_shapes": [
      "33x1"
    ],
    "output_dtypes": [
      "bf16"
    ],
    "output_layout_info": {
      "logical_shape": [
        33,
        1
      ],
      "dtype": "bf16",
      "unpadded_bytes": 66,
      "is_tiled": true,
      "memref_shape": [
        2,
        1
      ],
      "tile_size": [
        32,
        32
      ],
      "padded_shape": [
        64,
        32
      ],
      "padded_bytes": 4096,
      "buffer_type": "dram",
      "overhead_pct": 6106.060606060606,
      "stored_dtype": "bf16",
      "memory_layout": "interleaved",
      "grid": [
        1,
        1
      ]
    },
    "loc": )");
  EXPECT_EQ(fragment.tail, "");
}

TEST(OpFragments, SeveralResultsAreListedAfterTheOldFields) {
  HandMadeLog made;
  const auto type = made.add_type({32, 32});
  made.add_op({.name = "ttnn.sort",
               .results = {"%27#0", "%27#1"},
               .operands = {"%26"},
               .input_types = {type},
               .result_types = {type, type}});
  OpFragments fragments(made.log);
  const OpFragment fragment = fragments.get(made.rank().ops[0]);
  EXPECT_THAT(std::string(fragment.head), HasSubstr("\"result\": \"%27\","));
  EXPECT_THAT(std::string(fragment.tail),
              testing::StartsWith(",\n    \"results\": [\n      \"%27#0\",\n      \"%27#1\"\n    ],\n    "
                                  "\"output_layouts\": [\n      {"));
}

TEST(OpFragments, LoadCachedHasItsCalleeFirstAndNoBrackets) {
  HandMadeLog made;
  const auto type = made.add_type({768});
  made.add_op({.name = "ttcore.load_cached",
               .results = {"%1"},
               .operands = {"%arg1", "%arg2"},
               .callee = "main_const_eval_1",
               .role = OpRole::kLoadCached,
               .input_types = {type, type},
               .result_types = {type}});
  OpFragments fragments(made.log);
  EXPECT_THAT(
      std::string(fragments.get(made.rank().ops[0]).head),
      HasSubstr("\"inputs\": [\n      \"@main_const_eval_1\",\n      \"%arg1\",\n      \"%arg2\"\n    ]"));
}

TEST(OpFragments, AnOpKnownByTypeAloneHasEmptyLists) {
  HandMadeLog made;
  made.add_op({});
  ExecutedOp op = made.rank().ops[0];
  op.text = kNone;
  OpFragments fragments(made.log);
  const std::string head(fragments.get(op).head);
  EXPECT_THAT(head, HasSubstr("\"result\": null,\n    \"mlir_op\": \"TestOp\",\n    \"inputs\": [],"));
  EXPECT_THAT(head, HasSubstr("\"output_layout_info\": null"));
}

TEST(OpFragments, ARepeatedTextGivesTheSameFragment) {
  HandMadeLog made;
  const auto type = made.add_type({32, 32});
  made.add_op({.results = {"%1"}, .operands = {"%0"}, .input_types = {type}, .result_types = {type}});
  made.rank().ops.push_back(made.rank().ops[0]);
  OpFragments fragments(made.log);
  const OpFragment first = fragments.get(made.rank().ops[0]);
  EXPECT_EQ(fragments.get(made.rank().ops[1]).head.data(), first.head.data());
}

TEST(LayoutInfo, AZeroSizedDimensionHasNoOverhead) {
  HandMadeLog made;
  made.add_op({.results = {"%1"}, .result_types = {made.add_type({0, 32})}});
  OpFragments fragments(made.log);
  EXPECT_THAT(std::string(fragments.get(made.rank().ops[0]).head), HasSubstr("\"overhead_pct\": 0.0"));
}

}  // namespace
}  // namespace ttscope::mem
