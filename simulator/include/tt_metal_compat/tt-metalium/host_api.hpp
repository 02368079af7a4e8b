#pragma once
// The place of the header in newer releases.
#include "tt_metal/host_api.hpp"
