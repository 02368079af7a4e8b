#include "training_loop.h"

int main(int argc, char** argv) { return run_training(argc, argv, tiny_llama_config(), make_llama); }
