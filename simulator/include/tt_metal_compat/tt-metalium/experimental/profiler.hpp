#pragma once
// The place of the header in newer releases.
#include "tt_metal/experimental/profiler.hpp"
