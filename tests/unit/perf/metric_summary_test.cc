// What is made of metrics of hardware counters over executions.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "perf/analyze/perf_counters.h"

namespace ttscope::perf {
namespace {

TEST(MetricSummary, IsOverTheExecutionsThatHaveTheMetric) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const CounterFigures figures{{"SFPU Util Min (%)", "SFPU Util Median (%)", "SFPU Util Max (%)",
                                "Avg SFPU Util (%)", "L1 Min", "L1 Median", "L1 Max", "L1 Avg"},
                               {{7, {1, 5, 9, 4, kNone, kNone, kNone, kNone}},
                                {8, {2, 6, 8, 5, kNone, kNone, kNone, kNone}},
                                {9, {kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone}}}};
  const std::vector<CounterSummary> metrics = summarize_metrics(figures);
  ASSERT_EQ(metrics.size(), 1u) << "no execution has the other one";
  EXPECT_EQ(metrics[0].name, "SFPU Util (%)");
  EXPECT_EQ(metrics[0].executions, 2u);
  EXPECT_EQ(metrics[0].stats.min, 1);
  EXPECT_EQ(metrics[0].stats.median, 6) << "the upper one of two";
  EXPECT_EQ(metrics[0].stats.max, 9);
  EXPECT_EQ(metrics[0].stats.average, 4.5);
}

}  // namespace
}  // namespace ttscope::perf
