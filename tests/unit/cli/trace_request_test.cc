// What the words of a command line ask of a run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/commands/run.h"

namespace ttscope::cli {
namespace {

using ::testing::ElementsAre;

ParsedArgs args_of(std::initializer_list<std::pair<const std::string, std::string>> options) {
  ParsedArgs args;
  for (const auto& [name, value] : options) args.values[name] = value;
  args.positionals = {"model.py", "--batch", "8"};
  return args;
}

TEST(TraceRequest, NothingIsAskedForThatWasNotTyped) {
  launch::TracePlan plan;
  plan.environment = {"TT_METAL_PROFILER_DIR=/profiles"};
  const app::TraceRequest request = trace_request(args_of({}), plan);
  EXPECT_THAT(request.words, ElementsAre("model.py", "--batch", "8"));
  EXPECT_EQ(request.folders.artifacts, "/profiles");
  EXPECT_EQ(request.plan.environment, plan.environment);
  EXPECT_TRUE(request.uses_tools);
  EXPECT_FALSE(request.is_module || request.of_marked_parts || request.of_lines || request.makes_report);
  EXPECT_FALSE(request.needs_success || request.is_quiet || request.is_verbose || request.live);
  EXPECT_FALSE(request.own_program.empty());
}

TEST(TraceRequest, EachOptionIsOneWish) {
  using Wish = bool app::TraceRequest::*;
  const std::pair<const char*, Wish> wishes[] = {{"--module", &app::TraceRequest::is_module},
                                                 {"--partial", &app::TraceRequest::of_marked_parts},
                                                 {"--lines", &app::TraceRequest::of_lines},
                                                 {"--report", &app::TraceRequest::makes_report},
                                                 {"--check-exit-code", &app::TraceRequest::needs_success},
                                                 {"--quiet", &app::TraceRequest::is_quiet},
                                                 {"--verbose", &app::TraceRequest::is_verbose}};
  for (const auto& [option, wish] : wishes) {
    const app::TraceRequest request = trace_request(args_of({{option, ""}}), {});
    for (const auto& [other, of_other] : wishes) EXPECT_EQ(request.*of_other, wish == of_other) << other;
  }
  EXPECT_FALSE(trace_request(args_of({{"--no-capture-tool", ""}}), {}).uses_tools);
}

TEST(TraceRequest, ValuesAndListsAreTaken) {
  const app::TraceRequest request = trace_request(args_of({{"--output-folder", "/out"},
                                                           {"--name-append", "big"},
                                                           {"--child-functions", "A,B"},
                                                           {"--device-analysis-types", "x,,y"},
                                                           {"--tracy-tools-folder", "/tools"}}),
                                                  {});
  EXPECT_EQ(request.folders.artifacts, "/out");
  EXPECT_EQ(request.report_name, "big");
  EXPECT_THAT(request.child_functions, ElementsAre("A", "B"));
  EXPECT_THAT(request.analyses, ElementsAre("x", "y"));
  EXPECT_EQ(request.tools_folder, "/tools");
}

TEST(TraceRequest, ThePortOfTheLivePageIsTypedElseThatOfTracysServer) {
  const std::vector<std::string> by_hand = {"TRACY_WASM_HTTP_PORT=9001"};
  EXPECT_EQ(live_port(args_of({}), {}), 0) << "the next free one";
  EXPECT_EQ(live_port(args_of({}), by_hand), 9001);
  EXPECT_EQ(live_port(args_of({{"--web-app-port", "9002"}}), by_hand), 9002);
  for (const char* wrong : {"0", "65535", "-1", "80x"}) {
    const Result<std::uint16_t> port = live_port(args_of({{"--web-app-port", wrong}}), {});
    ASSERT_FALSE(port.has_value()) << wrong;
    EXPECT_EQ(port.error().message, std::string("--web-app-port ") + wrong + ": expected a port, 1 to 65534");
  }
}

TEST(CaptureRequest, IsWhatTheOptionsSay) {
  app::CaptureRequest request = capture_request(args_of({}), {"python", "model.py"}, "model");
  EXPECT_THAT(request.command, ElementsAre("python", "model.py"));
  EXPECT_EQ(request.name, "model");
  EXPECT_EQ(request.base, "");
  EXPECT_TRUE(request.keep_in_library);
  EXPECT_FALSE(request.log_only || request.compress || request.quiet);
  request = capture_request(args_of({{"--name", "vit"}, {"--output-dir", "runs"}, {"--no-library", ""}}),
                            {"x"}, "model");
  EXPECT_EQ(request.name, "vit");
  EXPECT_EQ(request.base, "runs");
  EXPECT_FALSE(request.keep_in_library);
  EXPECT_TRUE(capture_request(args_of({{"--log", ""}}), {"x"}, "x").log_only);
  EXPECT_TRUE(capture_request(args_of({{"--compress", ""}}), {"x"}, "x").compress);
  EXPECT_TRUE(capture_request(args_of({{"--quiet", ""}}), {"x"}, "x").quiet);
}

}  // namespace
}  // namespace ttscope::cli
