// Which inputs `fit` reads, and as what.
#include "app/fit_input.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "app/formats.h"
#include "app/simulator.h"
#include "support/temp_folder.h"

namespace ttscope::app {
namespace {

using ::testing::HasSubstr;
using testing::TempFolder;

constexpr std::string_view kConfig = "training_config:\n  model_type: gpt2\n  batch_size: 1\n";
constexpr std::string_view kEmptyCapture =
    "[{\"node_type\":\"capture_start\",\"counter\":0,\"connections\":[],"
    "\"params\":{}}]";

TEST(FitInput, EveryKindIsOfAFormatOrASubjectThatThereIs) {
  std::set<std::string_view> kinds;
  for (const FitInput& input : fit_inputs()) {
    EXPECT_TRUE(input.format.empty() ? input.subject.has_value() : find_format(input.format) != nullptr);
    EXPECT_NE(input.read, nullptr);
    EXPECT_TRUE(kinds.insert(input.format.empty() ? name_of(*input.subject) : input.format).second);
  }
  EXPECT_EQ(fit_inputs().back().subject, Subject::kMem) << "what tells nothing may be a log";
}

TEST(FitInput, IsToldByContentAndElseALog) {
  const TempFolder folder;
  const auto kind = [](const std::string& path) {
    const Result<const FitInput*> found = fit_input_of({path});
    EXPECT_TRUE(found.has_value());
    return found ? *found : nullptr;
  };
  EXPECT_EQ(kind(folder.file("run.txt", kConfig))->format, "training_config");
  EXPECT_EQ(kind(folder.file("graph.txt", kEmptyCapture))->subject, Subject::kGraph);
  EXPECT_EQ(kind(folder.file("any.txt", "hello\n")), &fit_inputs().back());
  EXPECT_EQ(kind(folder.path("nowhere")), &fit_inputs().back()) << "its reader says why";
}

TEST(FitInput, OneQuestionIsNotAskedOfTwoKinds) {
  const TempFolder folder;
  const std::string config = folder.file("config.yaml", kConfig);
  const std::string capture = folder.file("graph.json", kEmptyCapture);
  const Result<const FitInput*> found = fit_input_of({config, capture});
  ASSERT_FALSE(found.has_value());
  EXPECT_THAT(found.error().message, HasSubstr("config.yaml is a training configuration of tt-train"));
  EXPECT_THAT(found.error().message, HasSubstr("ask about each of them by itself"));
  EXPECT_TRUE(fit_input_of({config, config}).has_value());
  EXPECT_TRUE(fit_input_of({config, folder.path("nowhere")}).has_value());
}

TEST(FitInput, ACaptureWithoutANodeIsNothingFound) {
  const TempFolder folder;
  const std::string path = folder.file("graph.json", "[]");
  const FitInput& captures = fit_inputs()[1];
  ASSERT_EQ(captures.subject, Subject::kGraph);
  const Result<FitAnswers> answers = captures.read({path}, {});
  ASSERT_FALSE(answers.has_value());
  EXPECT_EQ(answers.error().code, ErrorCode::kNothingFound);
}

TEST(FitInput, ATrainingConfigurationAnswersMoreThanOneQuestion) {
  const TempFolder folder;
  const std::string path =
      folder.file("config.yaml", std::string(kConfig) +
                                     "  transformer_config:\n    num_heads: 2\n    embedding_dim: 64\n"
                                     "    num_blocks: 1\n    vocab_size: 96\n    max_sequence_length: 64\n");
  const Result<FitAnswers> answers = fit_inputs().front().read({path}, {});
  if (!has_simulator()) {
    ASSERT_FALSE(answers.has_value());
    EXPECT_EQ(answers.error().message,
              path + ": a training configuration is run on the simulated device, and " + kNoSimulator);
    return;
  }
  ASSERT_TRUE(answers.has_value()) << answers.error().message;
  fit::FitQuery question;
  for (const char* device : {"n150", "p150"}) {
    question.devices = {device};
    const Result<fit::Report> report = (*answers)(question);
    ASSERT_TRUE(report.has_value()) << report.error().message;
    EXPECT_TRUE(report->fits());
    ASSERT_EQ(report->devices.size(), 1u);
    EXPECT_EQ(report->devices.front().device.name, device);
  }
}

TEST(FitInput, LogsAreLoadedByWhoeverShowsHowFarThatIs) {
  FitReadOptions reading;
  bool runs_failed_modules = false;
  reading.load_memory = [&](const std::vector<std::string>& paths,
                            const mem::LoadOptions& options) -> Result<mem::Profile> {
    runs_failed_modules = options.run_failed_modules;
    return failure(bad_input(paths.front()));
  };
  const Result<FitAnswers> answers = fit_inputs().back().read({"a.log"}, reading);
  ASSERT_FALSE(answers.has_value());
  EXPECT_EQ(answers.error().message, "a.log");
  EXPECT_TRUE(runs_failed_modules);
}

}  // namespace
}  // namespace ttscope::app
