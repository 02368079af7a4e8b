#pragma once

#include <tl/expected.hpp>

#include "base/error.h"

namespace ttscope {

/// A value or an Error. Exceptions never cross a folder border.
template <typename T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> failure(Error error) { return tl::unexpected<Error>(std::move(error)); }

}  // namespace ttscope
