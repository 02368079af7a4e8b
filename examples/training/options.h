#pragma once

#include "training_loop.h"

void print_usage(const char* program);
/// False, after a message, for what is not known or makes no sense.
bool read_options(int argc, char** argv, TrainingOptions& options);
