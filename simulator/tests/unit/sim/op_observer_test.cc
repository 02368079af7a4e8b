// Who observes a device is told of the operations that ran.
#include <gtest/gtest.h>
#include <ttscope/memory_usage_tracker.h>
#include <ttscope/observe_ops.h>
#include <ttscope/ops.h>

#include <string>
#include <vector>

namespace ttscope::sim {
namespace {

TensorSpec tiles(const Shape& shape) { return {.shape = shape, .memory = {}}; }

struct Told {
  std::string name;
  std::string arguments;
  std::string program;
  OpKind kind = OpKind::kCopy;
  std::size_t inputs = 0;
  std::vector<Shape> outputs;
};

class OpObserver : public ::testing::Test {
 protected:
  void observe() {
    observe_ops(device_, [this](const ObservedOp& op) {
      Told told{std::string(op.name),    std::string(op.arguments),
                std::string(op.program), op.kind,
                op.inputs.size(),        {}};
      for (const Tensor& output : op.outputs) told.outputs.push_back(output.shape());
      told_.push_back(told);
    });
  }

  Device device_{DeviceSpec::n150()};
  std::vector<Told> told_;
};

TEST_F(OpObserver, IsToldOfWhatRan) {
  const Tensor a = empty(device_, tiles({1, 1, 64, 96}));
  const Tensor b = empty(device_, tiles({1, 1, 32, 96}));
  add(a, a);
  observe();
  MatmulOptions options;
  options.transpose_b = true;
  matmul(a, b, options);
  add_in_place(a, a);
  ASSERT_EQ(told_.size(), 2u);
  EXPECT_EQ(told_[0].name, "MatmulDeviceOperation");
  EXPECT_EQ(told_[0].arguments, "transpose_a=false, transpose_b=true");
  EXPECT_EQ(told_[0].kind, OpKind::kMatmul);
  EXPECT_EQ(told_[0].inputs, 2u);
  EXPECT_EQ(told_[0].outputs, std::vector<Shape>{Shape({1, 1, 64, 32})});
  EXPECT_EQ(told_[1].outputs, std::vector<Shape>{Shape({1, 1, 64, 96})}) << "what was changed in place";
}

TEST_F(OpObserver, ProgramsHaveEqualTextsWhereTheyAreTheSame) {
  observe();
  const Tensor a = empty(device_, tiles({1, 1, 64, 64}));
  add(a, a);
  add(a, a);
  multiply(a, a);
  ASSERT_EQ(told_.size(), 3u);
  EXPECT_EQ(told_[0].program, told_[1].program);
  EXPECT_NE(told_[0].program, told_[2].program);
}

TEST_F(OpObserver, IsNotToldOfWhatWasOnlyRecorded) {
  observe();
  {
    const auto guard = MemoryUsageTracker::begin_capture(RunMode::NO_DISPATCH);
    const Tensor a = empty(device_, tiles({1, 1, 64, 64}));
    add(a, a);
    MemoryUsageTracker::end_capture("ALL");
  }
  MemoryUsageTracker::clear();
  EXPECT_TRUE(told_.empty());
}

TEST_F(OpObserver, NobodyIsToldAnyMore) {
  observe();
  observe_ops(device_, {});
  const Tensor a = empty(device_, tiles({1, 1, 64, 64}));
  add(a, a);
  EXPECT_TRUE(told_.empty());
}

TEST_F(OpObserver, IsNotToldOfWhatDidNotFit) {
  observe();
  const Tensor large = empty(device_, tiles({1, 1, 40960, 65536}));
  EXPECT_THROW(
      {
        const Tensor second = add(large, large);
        add(second, second);
      },
      OutOfMemory);
  EXPECT_EQ(told_.size(), 1u);
}

}  // namespace
}  // namespace ttscope::sim
