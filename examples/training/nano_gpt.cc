#include "training_loop.h"

int main(int argc, char** argv) {
  ttscope::train::ModelConfig config;
  config.name = "nano-GPT";
  config.family = ttscope::train::ModelFamily::kGpt;
  config.vocabulary = 96;  // characters, rounded up to whole tiles
  config.sequence_length = 256;
  config.width = 384;
  config.heads = 6;
  config.blocks = 6;
  config.dropout = 0.2F;
  return train_with_options(argc, argv, config);
}
