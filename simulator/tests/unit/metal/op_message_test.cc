// How ops are told: the messages as tt-metal's JSON library writes them.
#include "metal/profiled_ops.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace ttscope::metal {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

ProfiledOp product() {
  ProfiledTensor a;
  a.shape = {1, 1, 40, 64};
  a.padded = {1, 1, 64, 64};
  a.bytes = 8192;
  ProfiledTensor b = a;
  b.shape = b.padded = {1, 1, 64, 3072};
  b.dtype = "BFLOAT8_B";
  b.buffer_type = "L1";
  b.bytes = 196608;
  ProfiledTensor out = a;
  out.shape = {1, 1, 40, 3072};
  out.padded = {1, 1, 64, 3072};
  out.bytes = 393216;
  ProfiledOp op;
  op.code = "MatmulDeviceOperation";
  op.attributes = {{"transpose_b", "false"}, {"name", "\"\u00fc\""}};
  op.inputs = {a, b};
  op.outputs = {out};
  op.hash = 10947132175906945160U;
  op.compute_ns = 77;
  return op;
}

OpMessageRun run_on_device_3() { return {1027, 3, true, "ops"}; }

TEST(OpMessage, TellsAllOfAnOp) {
  const std::string text = op_message(product(), run_on_device_3());
  EXPECT_THAT(text, StartsWith("`TT_DNN_DEVICE_OP: \"MatmulDeviceOperation\", 10947132175906945160, 3, true, "
                               "1027 ->\n{\n    \"attributes\": {\n        \"name\": \"\\\"\\u00fc\\\"\",\n"
                               "        \"transpose_b\": \"false\"\n    },\n    \"device_id\": 3,\n"
                               "    \"global_call_count\": 1027,\n    \"input_tensors\": [\n        {\n"
                               "            \"dtype\": \"BFLOAT16\",\n            \"layout\": \"TILE\",\n"
                               "            \"shape\": {\n                \"W\": \"1[1]\",\n"
                               "                \"X\": \"64[64]\",\n                \"Y\": \"64[40]\",\n"
                               "                \"Z\": \"1[1]\"\n            },\n"
                               "            \"storage_type\": {\n                \"device_id\": 3,\n"
                               "                \"memory_config\": {\n"
                               "                    \"buffer_type\": \"DRAM\",\n"));
  EXPECT_THAT(text,
              HasSubstr("        \"kernel_sizes\": {}\n    },\n    \"op_code\": \"MatmulDeviceOperation\",\n"
                        "    \"op_hash\": 10947132175906945160,\n    \"op_type\": \"tt_dnn_device\",\n"
                        "    \"optional_input_tensors\": [],\n    \"output_tensors\": [\n"));
  EXPECT_THAT(text, HasSubstr("\"source\": \"ops/compute.cpp\""));
  EXPECT_TRUE(
      text.ends_with("    \"performance_model\": {\n        \"bandwidth_ns\": 1419,\n"
                     "        \"compute_ns\": 77,\n        \"ideal_ns\": 1419,\n"
                     "        \"input_bws\": [\n            5.77307963354475,\n"
                     "            138.553911205074\n        ],\n        \"output_bws\": [\n"
                     "            277.107822410148\n        ]\n    },\n"
                     "    \"program_cache_hit\": true\n}`"))
      << text;
}

TEST(OpMessage, TellsThatAnOpRanAgain) {
  EXPECT_EQ(short_op_message(product(), run_on_device_3()),
            "`TT_DNN_DEVICE_OP: \"MatmulDeviceOperation\", 10947132175906945160, 3, true, 1027`");
}

TEST(OpMessage, BandwidthWasModeledInTwoWaysByThoseWhoRanOps) {
  // The largest tensor of 384 KB at 258 GiB/s, as tt-metal models it, and at 512.
  EXPECT_THAT(op_message(product(), run_on_device_3()), HasSubstr("\"bandwidth_ns\": 1419,"));
  OpMessageRun blackhole = run_on_device_3();
  blackhole.arch = tt::ARCH::BLACKHOLE;
  ProfiledOp op = product();
  EXPECT_THAT(op_message(op, blackhole), HasSubstr("\"bandwidth_ns\": 715,"));
  op.compute_ns = 800;
  EXPECT_THAT(op_message(op, blackhole),
              HasSubstr("\"bandwidth_ns\": 715,\n        \"compute_ns\": 800,\n        \"ideal_ns\": 800,"));
}

TEST(OpMessage, OpsOfTheHostHaveNoDevice) {
  ProfiledOp op = product();
  op.attributes.clear();
  for (ProfiledTensor* tensor : {&op.inputs[0], &op.inputs[1], &op.outputs[0]}) tensor->buffer_type.clear();
  const std::string text = fallback_message(op, 2147484672U);
  EXPECT_THAT(text, StartsWith("`TT_DNN_FALL_BACK_OP:\"MatmulDeviceOperation\" ->\n{\n"
                               "    \"attributes\": null,\n    \"global_call_count\": 2147484672,\n"));
  EXPECT_THAT(text, HasSubstr("\"op_type\": \"python_fallback\""));
  EXPECT_THAT(text, HasSubstr("\"storage_type\": \"HOST\""));
  for (const char* key : {"device_id", "op_hash", "kernel_info", "program_cache_hit"})
    EXPECT_THAT(text, Not(HasSubstr(key)));
}

}  // namespace
}  // namespace ttscope::metal
