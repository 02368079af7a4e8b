#pragma once

#include <ttscope/models.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ttscope::sim {

/// What a configuration leaves open and a run would find in its data or on its command line.
enum class Assumption : std::uint8_t {
  kVocabularyOfCharacters,  ///< no vocab_size: that of the Shakespeare text, in whole tiles
  kBatchOfOne,              ///< a model configuration alone
};

struct LoadedConfig {
  train::TrainingConfig training;
  std::vector<std::string> files;  ///< that were read, as they were opened
  std::vector<Assumption> assumptions;
};

/// Reads tt-train's training and model configurations (docs/formats/training_config.md). Several files are
/// one configuration: a training and a model configuration, in any order. The model configuration that a
/// training configuration names is looked for where it says, and around the file that names it. Unknown keys
/// and nonsense values are errors with file and line.
Result<LoadedConfig> read_training_config(const std::vector<std::string>& paths);

/// The same from a text alone; `path` names it in errors. A model configuration that it names is not looked
/// for.
Result<LoadedConfig> read_training_config_text(std::string_view text, const std::string& path);

/// `AdamW`, `SGD`, ...: the names of optimizers in configurations.
Result<train::OptimizerKind> optimizer_named(std::string_view name);
std::vector<std::string_view> optimizer_names();
std::string_view name_of(train::OptimizerKind kind);

}  // namespace ttscope::sim
