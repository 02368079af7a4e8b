#include <gtest/gtest.h>
#include <ttscope/modules.h>
#include <ttscope/ops.h>

namespace ttscope::train {
namespace {

class Autograd : public testing::Test {
 protected:
  TensorPtr made(const sim::Shape& shape, bool requires_gradient = true) const {
    return make_tensor(sim::from_host(device_, {.shape = shape, .memory = {}}), requires_gradient);
  }
  TensorPtr tokens(std::uint32_t length) const {
    return make_tensor(sim::from_host(device_, {.shape = {1, 1, 1, length},
                                                .dtype = sim::DataType::kUint32,
                                                .layout = sim::Layout::kRowMajor,
                                                .memory = {}}),
                       false);
  }
  std::uint64_t in_use() const { return device_.stats(sim::BufferType::kDram).allocated_bytes_per_bank; }
  void TearDown() override { Graph::current().reset(); }

  sim::Device device_ = [] {
    sim::Device device(sim::DeviceSpec::n150());
    device.enable_program_cache(false);
    return device;
  }();
};

TEST_F(Autograd, GradientsHaveTheShapesOfTheirTensors) {
  const TensorPtr x = made({2, 1, 64, 96});
  const TensorPtr weight = made({1, 1, 128, 96});
  const TensorPtr bias = made({1, 1, 1, 128});
  const TensorPtr loss = mean(gelu(linear(x, weight, bias)));
  EXPECT_EQ(loss->shape(), (sim::Shape{1, 1, 1, 1}));
  loss->backward();
  EXPECT_EQ(x->grad().shape(), x->shape());
  EXPECT_EQ(weight->grad().shape(), weight->shape());
  EXPECT_EQ(bias->grad().shape(), bias->shape());
}

TEST_F(Autograd, EveryOperationGivesAllItsInputsAGradient) {
  const TensorPtr table = made({1, 1, 96, 64});
  const TensorPtr gamma = made({1, 1, 1, 64});
  const TensorPtr beta = made({1, 1, 1, 64});
  const TensorPtr scale = made({1, 1, 1, 64});
  const TensorPtr mask = made({1, 1, 32, 32}, false);
  const RotaryTables rotary = make_rotary_tables(device_, 32, 32);
  const TensorPtr x = layer_norm(embedding(tokens(32), table), gamma, beta);
  const TensorPtr wide = made({1, 1, 192, 64});
  HeadTensors heads = create_heads(linear(rms_norm(x, scale), wide, nullptr), 2);
  heads.query = rotary_embedding(heads.query, rotary);
  const TensorPtr mixed = fuse_heads(attention(heads.query, heads.key, heads.value, mask));
  const TensorPtr y = add(multiply(relu(silu(softmax(mixed))), 2.0F), dropout(x, 0.1F));
  const TensorPtr right = made({1, 1, 64, 96});
  const TensorPtr loss = cross_entropy_loss(matmul(multiply(y, y), right), tokens(32));
  loss->backward();
  for (const TensorPtr& each : {table, gamma, beta, scale, wide, right}) {
    ASSERT_TRUE(each->has_grad());
    EXPECT_EQ(each->grad().shape(), each->shape());
  }
  EXPECT_FALSE(mask->has_grad());
}

TEST_F(Autograd, GroupedHeadsShareKeysAndValues) {
  const TensorPtr query = made({1, 1, 64, 256});
  const TensorPtr key_value = made({1, 1, 64, 128});
  const HeadTensors heads = create_heads(query, key_value, 8, 2);
  const TensorPtr out = fuse_heads(attention(heads.query, heads.key, heads.value, nullptr));
  mean(out)->backward();
  EXPECT_EQ(query->grad().shape(), query->shape());
  EXPECT_EQ(key_value->grad().shape(), key_value->shape());
}

TEST_F(Autograd, ASecondGradientIsAdded) {
  const TensorPtr x = made({1, 1, 32, 32});
  mean(add(x, x))->backward();
  EXPECT_TRUE(x->has_grad());
  EXPECT_THROW(x->set_grad(made({1, 1, 64, 32})->value()), std::logic_error);
}

TEST_F(Autograd, TheBackwardPassFreesWhatTheForwardPassKept) {
  const TensorPtr x = made({1, 1, 1024, 1024});
  const std::uint64_t before = in_use();
  {
    const TensorPtr loss = mean(gelu(gelu(gelu(x))));
    EXPECT_GT(in_use(), before + 2 * before);
    loss->backward();
  }
  EXPECT_LE(in_use(), 2 * before + 4096) << "the input and its gradient";
}

TEST_F(Autograd, NothingIsKeptWithoutGradients) {
  const TensorPtr x = made({1, 1, 1024, 1024});
  const std::uint64_t before = in_use();
  const NoGradients off;
  TensorPtr y = gelu(gelu(x));
  EXPECT_EQ(in_use(), 2 * before);
  EXPECT_THROW(y->backward(), std::runtime_error);
}

TEST_F(Autograd, RecomputationKeepsInputAndOutputAndGivesTheSameGradients) {
  const TensorPtr weight = made({1, 1, 512, 512});
  const auto block = [&](const TensorPtr& x) {
    return gelu(linear(gelu(linear(x, weight, nullptr)), weight, nullptr));
  };
  const TensorPtr x = made({1, 1, 512, 512});
  const std::uint64_t size = x->value().bytes_per_bank();
  const std::uint64_t before = in_use();
  const TensorPtr out = recompute(block, x);
  EXPECT_EQ(in_use(), before + size);
  mean(out)->backward();
  EXPECT_EQ(x->grad().shape(), x->shape());
  EXPECT_EQ(weight->grad().shape(), weight->shape());
}

TEST_F(Autograd, AGraphRunsBackwardsOnceUnlessItIsRetained) {
  const TensorPtr loss = mean(made({1, 1, 32, 32}));
  loss->backward(true);
  loss->backward();
  EXPECT_THROW(loss->backward(), std::runtime_error);
  Graph::current().reset();
  EXPECT_THROW(loss->backward(), std::runtime_error);
}

TEST_F(Autograd, CollectivesPassGradientsOn) {
  const TensorPtr x = made({1, 1, 64, 64});
  mean(all_reduce(all_gather(x, 3, 2), 2))->backward();
  EXPECT_EQ(x->grad().shape(), x->shape());
}

TEST_F(Autograd, OptimizersHoldTheirStates) {
  const Linear layer(device_, 64, 128);
  EXPECT_EQ(layer.parameter_count(), 64u * 128 + 128);
  const std::uint64_t parameters = in_use();
  Sgd plain(layer.parameters());
  EXPECT_EQ(in_use(), parameters);
  AdamW adam(layer.parameters());
  EXPECT_EQ(in_use(), 3 * parameters);
  mean(layer(made({1, 1, 32, 64})))->backward();
  Graph::current().reset();
  const std::uint64_t with_gradients = in_use();
  adam.step();
  plain.step();
  EXPECT_EQ(in_use(), with_gradients) << "the steps work in place";
  adam.zero_grad();
  EXPECT_EQ(in_use(), 3 * parameters);
}

}  // namespace
}  // namespace ttscope::train
