#pragma once
// An older place of ReadMeshDeviceProfilerResults.
#include "tt_metal/host_api.hpp"
