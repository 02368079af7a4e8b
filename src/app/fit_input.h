#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/formats.h"
#include "base/result.h"
#include "fit/report.h"
#include "mem/load.h"

namespace ttscope::app {

/// An input that was read and answers whether it fits.
using FitAnswers = std::function<Result<fit::Report>(const fit::FitQuery&)>;

/// How inputs are read.
struct FitReadOptions {
  /// For whoever shows how far that is, or sees on the way what a log is.
  std::function<Result<mem::Profile>(const std::vector<std::string>&, mem::LoadOptions)> load_memory =
      [](const std::vector<std::string>& paths, const mem::LoadOptions& options) {
        return mem::load(paths, options);
      };
};

/// A kind of input of `fit`: told by the key of its format, else by the subject that reads it.
struct FitInput {
  std::string_view format;         ///< its key; empty: all of the subject
  std::optional<Subject> subject;  ///< what other files are is told as for it; none: the reader says all
  Result<FitAnswers> (*read)(const std::vector<std::string>& paths, const FitReadOptions& reading);
};

/// All kinds. What is of none of them is read as the last: a log may tell late what it is.
const std::vector<FitInput>& fit_inputs();

/// The kind of all of these paths. One question is asked of them together: an error where they differ.
Result<const FitInput*> fit_input_of(const std::vector<std::string>& paths);

}  // namespace ttscope::app
