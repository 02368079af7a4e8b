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

// NOLINTBEGIN(cppcoreguidelines-macro-usage): a function cannot return from its caller
/// `RETURN_IF_ERROR(write_head(out));` returns the error of a Result from the enclosing function.
#define RETURN_IF_ERROR(...)                                        \
  do {                                                              \
    if (auto checked_result = (__VA_ARGS__); !checked_result)       \
      return ::ttscope::failure(std::move(checked_result).error()); \
  } while (false)

/// `ASSIGN_OR_RETURN(const Text text, read_text(path));` declares a variable with the value of a Result, or
/// returns its error from the enclosing function.
#define ASSIGN_OR_RETURN(declaration, ...) \
  TTSCOPE_ASSIGN_OR_RETURN(TTSCOPE_JOIN(result_of_line_, __LINE__), declaration, __VA_ARGS__)
#define TTSCOPE_ASSIGN_OR_RETURN(result, declaration, ...)           \
  auto result = (__VA_ARGS__);                                       \
  if (!result) return ::ttscope::failure(std::move(result).error()); \
  declaration = *std::move(result)
#define TTSCOPE_JOIN(a, b) TTSCOPE_JOIN_EXPANDED(a, b)
#define TTSCOPE_JOIN_EXPANDED(a, b) a##b
// NOLINTEND(cppcoreguidelines-macro-usage)
