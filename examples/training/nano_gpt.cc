#include "training_loop.h"

int main(int argc, char** argv) { return run_training(argc, argv, nano_gpt_config(), make_gpt); }
