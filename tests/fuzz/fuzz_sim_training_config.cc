// Training configurations: YAML of anybody, read to sizes that can be trained or refused with a line.
#include <string>

#include "fuzz/fuzz_target.h"
#include "sim/config/training_config.h"

namespace ttscope::sim {
namespace {

using fuzz::require;

TTSCOPE_FUZZ_TARGET(sim_training_config) {
  const Result<LoadedConfig> read = read_training_config_text(text, "fuzz.yaml");
  if (!read) {
    require(read.error().message.find("fuzz.yaml") == 0, "an error names the file");
    return;
  }
  const train::ModelConfig& model = read->training.model;
  require(!contradiction_in(read->training), "what is read can be trained");
  require(model.head_size != 0 || model.width % model.heads == 0, "heads divide the width");
  require(model.padded_vocabulary() >= model.vocabulary, "the vocabulary is rounded up");
}

}  // namespace
}  // namespace ttscope::sim
