#pragma once

#include <string>
#include <string_view>

namespace ttscope::diff {

/// What a compiler's op and the program that ran for it have in common: `binary` of `ttnn.add` and of
/// `BinaryNgDeviceOperation`, `matmul` of `ttnn.linear` and of `MatmulDeviceOperation`.
std::string op_family(std::string_view op);

}  // namespace ttscope::diff
