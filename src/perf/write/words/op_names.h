#pragma once

#include <string>
#include <string_view>

#include "perf/analyse/ops/shown_ops.h"

namespace ttscope::perf {

/// A label without what every name of an op ends with: `Matmul 32 x 3072 x 1280` of
/// `MatmulDeviceOperation 32 x 3072 x 1280`. A label that is nothing else stays as it is.
std::string readable_label(std::string_view label);

/// The readable label and, where it names no sizes itself, the shapes: `LayerNorm 32x3072`.
std::string label_with_shape(const OpsReport& table, const ShownOps& ops, std::uint32_t kind);

}  // namespace ttscope::perf
