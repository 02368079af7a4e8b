#pragma once

#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace ttscope {

/// What kind of whole-input problem stopped the work; `cli` maps it to an exit code.
enum class ErrorCode {
  kBadInput,      ///< unreadable, not the expected format
  kNothingFound,  ///< read, but nothing of what was looked for is in it
  kOtherKind,     ///< read up to where it turned out to be of another kind than was asked for
  kWriteFailed,   ///< an output could not be written; the old file, if any, is untouched
};

/// A problem that ends the work on one input. The message says what, where and what would be right.
struct Error {
  ErrorCode code = ErrorCode::kBadInput;
  std::string message;
};

inline Error bad_input(std::string message) { return {ErrorCode::kBadInput, std::move(message)}; }

inline Error nothing_found(std::string message) { return {ErrorCode::kNothingFound, std::move(message)}; }

inline Error write_failed(std::string message) { return {ErrorCode::kWriteFailed, std::move(message)}; }

/// A value or an Error. Exceptions never cross a folder border.
template <typename T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> failure(Error error) { return tl::unexpected<Error>(std::move(error)); }

}  // namespace ttscope
