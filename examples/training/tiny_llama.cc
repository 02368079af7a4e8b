#include "training_loop.h"

int main(int argc, char** argv) {
  ttscope::train::ModelConfig config;
  config.name = "TinyLlama";
  config.family = ttscope::train::ModelFamily::kLlama;
  config.vocabulary = 96;  // characters, rounded up to whole tiles
  config.sequence_length = 2048;
  config.width = 2048;
  config.heads = 32;
  config.groups = 4;
  config.blocks = 22;
  return train_with_options(argc, argv, config);
}
