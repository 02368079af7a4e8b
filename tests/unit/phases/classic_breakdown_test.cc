// The bar of analyze_memory.py, against the script's own figures where they lie beside the checkout.
#include "phases/classic_analysis.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <cstdlib>
#include <filesystem>

#include "support/phase_text.h"
#include "support/temp_folder.h"

namespace ttscope::phases {
namespace {

namespace fs = std::filesystem;

TEST(ClassicBreakdown, ExpectedAndMeasuredSizes) {
  const ClassicLog log = read_classic_log(testing::usual_summary());
  const ClassicSizes sizes{900, 1800, 900, 12000};
  const auto expected = classic_breakdown(log.sections.at(0), sizes, false);
  ASSERT_TRUE(expected);
  EXPECT_EQ(expected->model_mb, 900);
  EXPECT_EQ(expected->optimizer_mb, 1800);
  EXPECT_EQ(expected->activations_mb, 9000);
  EXPECT_EQ(expected->gradients_overhead_mb, 400);
  EXPECT_EQ(expected->other_mb, 300);
  const auto measured = classic_breakdown(log.sections.at(0), sizes, true);
  EXPECT_EQ(measured->model_mb, 1000);
  EXPECT_EQ(measured->other_mb, 0);
  EXPECT_EQ(classic_gradients_mb(log.sections.at(0)), 1000);
}

TEST(ClassicBreakdown, OverExplanationIsHiddenAsInTheScript) {
  const ClassicLog log = read_classic_log(testing::usual_summary());
  EXPECT_EQ(classic_breakdown(log.sections.at(0), {99999, 0, 0, 1}, false)->other_mb, 0);
  EXPECT_EQ(classic_difference(5, 0), 0);
}

TEST(ClassicBreakdown, NoPeakNoBar) { EXPECT_FALSE(classic_breakdown(ClassicSection{}, {}, false)); }

class ScriptFigures : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* folder = std::getenv("TTSCOPE_SHARED_DIR");
    if (folder == nullptr || !fs::exists(fs::path(folder) / "data/analyze-memory/golden_breakdowns.json")) {
      GTEST_SKIP() << "skipped: TTSCOPE_SHARED_DIR is not set, no recorded figures here";
    }
    data_ = fs::path(folder) / "data";
  }

  /// The log of a recorded run; empty for those whose log was not kept.
  std::string log_text(simdjson::dom::element run) const {
    std::string name(std::string_view(run["args"].at(1)));
    const bool real = name.rfind("memory_logs/", 0) == 0;
    return testing::file_content(
        (data_ / (real ? "phase-logs" : "analyze-memory") / fs::path(name).filename()).string());
  }

  static ClassicSizes sizes_of(simdjson::dom::element run, const ClassicLog& log) {
    std::optional<double> model;
    std::optional<double> device;
    for (std::size_t i = 0; i + 1 < run["args"].get_array().size(); ++i) {
      const std::string_view name = run["args"].at(i);
      if (name == "--model_size") model = std::stod(std::string(std::string_view(run["args"].at(i + 1))));
      if (name == "--device_memory") device = std::stod(std::string(std::string_view(run["args"].at(i + 1))));
    }
    constexpr double kMb = 1048576;
    const double model_mb = model ? *model / kMb : classic_parameters(log).value_or(0) * 2 / kMb;
    return {model_mb, model_mb * 2, model_mb, device ? *device / kMb : classic_device_mb(log).value_or(0)};
  }

  fs::path data_;
};

TEST_F(ScriptFigures, EveryBarToTheLastDigit) {
  simdjson::dom::parser parser;
  const simdjson::dom::element runs = parser.load((data_ / "analyze-memory/golden_breakdowns.json").string());
  int compared = 0;
  for (const auto [name, run] : runs.get_object()) {
    const std::string text = log_text(run);
    if (text.empty()) continue;
    SCOPED_TRACE(std::string(name));
    const ClassicLog log = read_classic_log(text);
    const bool actual = std::string(name) == "both_actual";
    std::size_t index = 0;
    for (const simdjson::dom::element section : run["sections"].get_array()) {
      ASSERT_LT(index, log.sections.size());
      EXPECT_EQ(log.sections[index].name, std::string(std::string_view(section["name"])));
      const auto bar = classic_breakdown(log.sections[index++], sizes_of(run, log), actual);
      ASSERT_TRUE(bar);
      const simdjson::dom::element wanted = section["breakdown"];
      EXPECT_DOUBLE_EQ(bar->model_mb, double(wanted["model"]));
      EXPECT_DOUBLE_EQ(bar->optimizer_mb, double(wanted["optimizer"]));
      EXPECT_DOUBLE_EQ(bar->activations_mb, double(wanted["activations"]));
      EXPECT_DOUBLE_EQ(bar->gradients_overhead_mb, double(wanted["gradients_overhead"]));
      EXPECT_NEAR(bar->other_mb, double(wanted["other"]), 1e-9);
      EXPECT_DOUBLE_EQ(bar->total_mb, double(wanted["total"]));
      EXPECT_DOUBLE_EQ(bar->device_mb, double(wanted["device_memory"]));
      ++compared;
    }
  }
  EXPECT_GE(compared, 10);
}

}  // namespace
}  // namespace ttscope::phases
