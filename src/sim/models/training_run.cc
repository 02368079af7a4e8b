// Declared in include/ttscope/models.h.
#include <fmt/format.h>

#include <ttscope/memory_owner.h>
#include <ttscope/models.h>
#include <ttscope/ops.h>

#include <stdexcept>

namespace ttscope::train {
namespace {

/// Tokens, what should follow them, and which positions count.
struct Batch {
  TensorPtr tokens;
  TensorPtr targets;
  TensorPtr loss_mask;
};

class TrainingRun {
 public:
  TrainingRun(const sim::Device& device, const TrainingConfig& config, TrainingObserver& observer)
      : device_(device), config_(config), observer_(observer) {}

  void run(std::uint32_t steps) {
    Graph::current().reset();
    phase("MODEL_CREATION", [this] {
      if (config_.model.composite) mask_ = make_mask();
      model_ = make_model(device_, config_.model);
      observer_.on_model(*model_);
    });
    if (config_.model.lora.rank > 0) {
      phase("LORA_INJECTION", [this] { model_->add_adapters(device_, config_.model.lora); });
    }
    phase("OPTIMIZER_CREATION",
          [this] { optimizer_ = make_optimizer(config_.optimizer, model_->parameters()); });
    for (std::uint32_t step = 1; step <= steps; ++step) train_step(step);
  }

 private:
  template <typename Work>
  void phase(const std::string& name, const Work& work) {
    observer_.begin_phase(name);
    work();
    observer_.end_phase(name);
  }

  void train_step(std::uint32_t step) {
    const std::string prefix = step == 1 ? "" : "STEP_" + std::to_string(step) + "_";
    bool repeated = false;
    for (std::uint32_t micro = 0; micro < config_.accumulation; ++micro) {
      const std::string suffix = config_.accumulation == 1 ? "" : "_micro_" + std::to_string(micro);
      const std::string forward_name = fmt::format("{}FORWARD_PASS{}", prefix, suffix);
      const std::string backward_name = fmt::format("{}BACKWARD_PASS{}", prefix, suffix);
      // The first micro-step makes the gradients: only those after it can be alike.
      const bool same = micro > 0 && !repeated && observer_.repeats();
      repeated = repeated || (micro > 1 && same);
      if (repeated) {
        observer_.skip_phase(forward_name);
        observer_.skip_phase(backward_name);
        continue;
      }
      phase(forward_name, [&] {
        if (micro == 0) optimizer_->zero_grad();
        forward();
      });
      phase(backward_name, [this] { backward(); });
    }
    phase(step == 1 ? "FIRST_ITERATION_COMPLETE" : prefix + "COMPLETE", [&] {
      share_gradients();
      optimizer_->step();
      observer_.on_step(step);
    });
  }

  void forward() {
    batch_ = make_batch();
    const TensorPtr logits = (*model_)(batch_.tokens, mask_);
    const sim::ModuleScope part("loss");
    const TensorPtr rows = cross_entropy(logits, batch_.targets, config_.model.tensor_parallel);
    loss_ = mean(multiply(rows, batch_.loss_mask));
  }

  void backward() {
    if (config_.accumulation > 1) loss_ = multiply(loss_, 1.0F / static_cast<float>(config_.accumulation));
    loss_->backward();
    Graph::current().reset();
  }

  /// Chips that had different parts of the batch take the mean of their gradients.
  void share_gradients() {
    const std::uint32_t chips = config_.data_parallel;
    const auto parameters = model_->parameters();
    for (const auto& [name, parameter] : parameters) {
      if (chips <= 1 || !parameter->has_grad()) continue;
      const sim::OwnerScope gradient(sim::MemoryKind::kGradient, name);
      const sim::Tensor sum = sim::all_reduce(parameter->grad(), chips);
      parameter->set_grad(sim::multiply(sum, 1.0F / static_cast<float>(chips)));
    }
    if (!config_.clip_gradients) return;
    for (const auto& [name, parameter] : parameters) {
      if (parameter->has_grad()) sim::unary_in_place("clip_norm", parameter->grad());
    }
  }

  TensorPtr make_mask() const {
    const std::uint32_t length = config_.model.sequence_length;
    return make_tensor(sim::from_host(device_, {.shape = {1, 1, length, length}, .memory = {}}), false);
  }

  Batch make_batch() const {
    const std::uint32_t length = config_.model.sequence_length;
    const std::uint32_t sequences = config_.batch / config_.data_parallel;
    const sim::TensorSpec tokens{.shape = {sequences, 1, 1, length},
                                 .dtype = sim::DataType::kUint32,
                                 .layout = sim::Layout::kRowMajor,
                                 .memory = {}};
    const sim::TensorSpec mask{.shape = {sequences, 1, length, 1}, .memory = {}};
    return {make_tensor(sim::from_host(device_, tokens), false),
            make_tensor(sim::from_host(device_, tokens), false),
            make_tensor(sim::from_host(device_, mask), false)};
  }

  sim::Device device_;
  TrainingConfig config_;
  TrainingObserver& observer_;
  TensorPtr mask_;
  std::unique_ptr<LanguageModel> model_;
  std::unique_ptr<Optimizer> optimizer_;
  Batch batch_;
  TensorPtr loss_;
};

}  // namespace

void run_training(const sim::Device& device, const TrainingConfig& config, std::uint32_t steps,
                  TrainingObserver& observer) {
  if (const auto found = contradiction_in(config)) throw std::invalid_argument(found->text);
  TrainingRun run(device, config, observer);
  try {
    run.run(steps);
  } catch (...) {
    Graph::current().reset();  // what the operations kept must not outlive the run
    throw;
  }
}

}  // namespace ttscope::train
