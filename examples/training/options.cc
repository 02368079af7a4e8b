#include "options.h"

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <optional>

using namespace ttscope::train;

namespace {

std::optional<std::uint32_t> number_above_zero(const std::string& text) {
  char* end = nullptr;
  const unsigned long value = std::strtoul(text.c_str(), &end, 10);
  if (text.empty() || text[0] < '0' || text[0] > '9' || *end != '\0' || value == 0 || value > 1048576)
    return std::nullopt;
  return static_cast<std::uint32_t>(value);
}

/// The numbers by the names of their options.
std::map<std::string, std::uint32_t*> numbers_of(TrainingOptions& options) {
  TrainingConfig& training = options.training;
  ModelConfig& model = training.model;
  return {{"--batch", &training.batch},
          {"--accumulation", &training.accumulation},
          {"--dp", &training.data_parallel},
          {"--tp", &model.tensor_parallel},
          {"--blocks", &model.blocks},
          {"--width", &model.width},
          {"--heads", &model.heads},
          {"--groups", &model.groups},
          {"--intermediate", &model.intermediate},
          {"--vocabulary", &model.vocabulary},
          {"--sequence", &model.sequence_length},
          {"--lora", &model.lora.rank},
          {"--steps", &options.steps},
          {"--dram_mb_per_bank", &options.dram_mb_per_bank}};
}

bool read_optimizer(const std::string& name, OptimizerConfig& optimizer) {
  const std::map<std::string, OptimizerKind> kinds{{"AdamW", OptimizerKind::kAdamW},
                                                   {"AdamWFullPrecision", OptimizerKind::kAdamWFullPrecision},
                                                   {"AdamWComposite", OptimizerKind::kAdamWComposite},
                                                   {"MorehAdamW", OptimizerKind::kMorehAdamW},
                                                   {"SGD", OptimizerKind::kSgd},
                                                   {"NoOp", OptimizerKind::kNone}};
  const auto found = kinds.find(name);
  if (found == kinds.end()) return false;
  optimizer.kind = found->second;
  return true;
}

bool read_flag(const std::string& name, TrainingOptions& options) {
  const std::map<std::string, bool*> flags{{"--track_memory", &options.track_memory},
                                           {"--no_dispatch", &options.no_dispatch},
                                           {"--recompute", &options.training.model.recompute},
                                           {"--composite", &options.training.model.composite},
                                           {"--tied", &options.training.model.tied_weights}};
  const auto found = flags.find(name);
  if (found == flags.end()) return false;
  *found->second = true;
  return true;
}

bool read_value(const std::string& name, const std::string& value, TrainingOptions& options) {
  if (name == "--optimizer") return read_optimizer(value, options.training.optimizer);
  if (name == "--device") options.device = value;
  if (name == "--save") options.save_path = value;
  if (name == "--device" || name == "--save") return true;
  const auto numbers = numbers_of(options);
  const auto found = numbers.find(name);
  const std::optional<std::uint32_t> number = number_above_zero(value);
  if (found == numbers.end() || !number) return false;
  *found->second = *number;
  return true;
}

}  // namespace

void print_usage(const char* program) {
  std::printf(
      "usage: %s [options]\n"
      "  --track_memory      print the memory of the phases of the first step\n"
      "  --no_dispatch       record the first step without placing anything; it may need any amount\n"
      "  --recompute         keep only the inputs of blocks (memory-efficient mode)\n"
      "  --composite         attention and gated layers made of parts, as tt-train had them before March "
      "2026\n"
      "  --optimizer NAME    AdamW, AdamWFullPrecision, AdamWComposite, MorehAdamW, SGD or NoOp\n"
      "  --lora RANK         train low-rank adapters only\n"
      "  --tied              the table of tokens is the last layer's weight\n"
      "  --batch N           sequences in a forward pass\n"
      "  --accumulation N    forward and backward passes before the optimizer's step\n"
      "  --dp N, --tp N      groups of chips that share the batch, chips that share each layer\n"
      "  --blocks N, --width N, --heads N, --groups N, --intermediate N, --vocabulary N, --sequence N\n"
      "                      sizes of the model\n"
      "  --steps N           steps of the optimizer (2)\n"
      "  --device NAME       n150, n300, p100 or p150\n"
      "  --dram_mb_per_bank N  DRAM banks of another size\n"
      "  --save FILE         write the capture, for `ttscope graph`\n",
      program);
}

bool read_options(int argc, char** argv, TrainingOptions& options) {
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (read_flag(name, options)) continue;
    if (i + 1 < argc && read_value(name, argv[i + 1], options)) {
      ++i;
      continue;
    }
    std::fprintf(stderr, "%s: unknown option or value: %s\n", argv[0], argv[i]);
    return false;
  }
  return true;
}
