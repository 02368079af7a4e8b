// What the words of a command line ask of a run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "cli/commands/run.h"

namespace ttscope::cli {
namespace {

using ::testing::ElementsAre;

/// What `describe` binds, with what was typed.
std::unique_ptr<TraceOptions> traced(std::vector<std::string> words) {
  auto options = std::make_unique<TraceOptions>();
  const CommandSpec spec = describe_trace(*options);
  for (const char* word : {"model.py", "--batch", "8"}) words.emplace_back(word);
  const auto args = parse_args(spec, words);
  EXPECT_TRUE(args.has_value()) << args.error();
  EXPECT_EQ(take_values(spec, *args), "");
  return options;
}

TEST(TraceOptions, NothingIsAskedForThatWasNotTyped) {
  const auto options = traced({});
  const app::TraceRequest& request = options->request;
  EXPECT_THAT(request.words, ElementsAre("model.py", "--batch", "8"));
  EXPECT_EQ(options->folder, "");
  EXPECT_TRUE(options->given.empty());
  EXPECT_TRUE(request.uses_tools);
  EXPECT_FALSE(request.is_module || request.of_marked_parts || request.of_lines || request.makes_report);
  EXPECT_FALSE(request.needs_success || request.is_quiet || request.is_verbose || options->shows_live);
  EXPECT_EQ(trace_problem(*options), "");
}

TEST(TraceOptions, EachOptionIsOneWish) {
  using Wish = bool app::TraceRequest::*;
  const std::pair<const char*, Wish> wishes[] = {{"--module", &app::TraceRequest::is_module},
                                                 {"--partial", &app::TraceRequest::of_marked_parts},
                                                 {"--lines", &app::TraceRequest::of_lines},
                                                 {"--report", &app::TraceRequest::makes_report},
                                                 {"--check-exit-code", &app::TraceRequest::needs_success},
                                                 {"--quiet", &app::TraceRequest::is_quiet},
                                                 {"--verbose", &app::TraceRequest::is_verbose}};
  for (const auto& [option, wish] : wishes) {
    const auto options = traced({option});
    for (const auto& [other, of_other] : wishes)
      EXPECT_EQ(options->request.*of_other, wish == of_other) << other;
  }
  EXPECT_FALSE(traced({"--no-capture-tool"})->request.uses_tools);
}

TEST(TraceOptions, ValuesAndListsAreTaken) {
  const auto options =
      traced({"--output-folder", "/out", "--name-append", "big", "--child-functions", "A,B",
              "--device-analysis-types", "x,,y", "-a", "z", "--tracy-tools-folder", "/tools"});
  EXPECT_EQ(options->folder, "/out");
  EXPECT_EQ(options->request.report_name, "big");
  EXPECT_THAT(options->request.child_functions, ElementsAre("A", "B"));
  EXPECT_THAT(options->request.analyses, ElementsAre("x", "y", "z"));
  EXPECT_EQ(options->request.tools_folder, "/tools");
}

TEST(TraceOptions, ThePlanOfTheRunHearsOfItsOptions) {
  const auto options = traced({"--sync-host-device", "--port=8090", "-r"});
  EXPECT_EQ(options->given,
            (launch::TraceOptions{{"--sync-host-device", ""}, {"--port", "8090"}, {"--report", ""}}));
}

TEST(TraceOptions, WhatGoesWithNothingIsRefused) {
  EXPECT_EQ(trace_problem(*traced({"-n", "x"})), "--name-append names the report; give -r too");
  EXPECT_EQ(trace_problem(*traced({"-r", "-n", "a/b"})), "--name-append a/b: expected a plain file name");
  EXPECT_EQ(trace_problem(*traced({"--process-logs-only"})),
            "--process-logs-only runs nothing; leave the program out");
}

TEST(TraceOptions, ThePortOfTheLivePageIsTypedElseThatOfTracysServer) {
  const std::vector<std::string> by_hand = {"TRACY_WASM_HTTP_PORT=9001"};
  EXPECT_EQ(live_port({}, {}), 0) << "the next free one";
  EXPECT_EQ(live_port({}, by_hand), 9001);
  EXPECT_EQ(live_port("9002", by_hand), 9002);
  for (const char* wrong : {"0", "65535", "-1", "80x"}) {
    const Result<std::uint16_t> port = live_port(wrong, {});
    ASSERT_FALSE(port.has_value()) << wrong;
    EXPECT_EQ(port.error().message, std::string("--web-app-port ") + wrong + ": expected a port, 1 to 65534");
  }
}

}  // namespace
}  // namespace ttscope::cli
