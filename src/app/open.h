#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "app/formats.h"
#include "base/result.h"
#include "table/table.h"

namespace ttscope::mem {

struct Profile;

}  // namespace ttscope::mem

namespace ttscope::phases {

struct Profile;

}  // namespace ttscope::phases

namespace ttscope::graph {

struct Profile;

}  // namespace ttscope::graph

namespace ttscope::perf {

struct Profile;

}  // namespace ttscope::perf

namespace ttscope::timeline {

struct Profile;

}  // namespace ttscope::timeline

namespace ttscope::app {

/// How far a long reading is.
struct OpenProgress {
  std::uint64_t bytes_done = 0;
  std::uint64_t bytes_total = 0;  ///< 0: unknown
  std::uint64_t ops = 0;
};

struct OpenOptions {
  unsigned threads = 0;  ///< in all; 0: as many as the machine has, up to what helps
  std::function<void(const OpenProgress&)> progress{};  ///< on the caller's thread
};

/// A profile of any subject. Cheap to copy; read-only, threads may share it.
struct Profile {
  /// In the order of Subject.
  using Data = std::variant<std::shared_ptr<const mem::Profile>, std::shared_ptr<const phases::Profile>,
                            std::shared_ptr<const graph::Profile>, std::shared_ptr<const perf::Profile>,
                            std::shared_ptr<const timeline::Profile>>;

  std::string name;                ///< what the column `profile` shows
  std::vector<std::string> paths;  ///< as given
  Data data;

  Subject subject() const { return static_cast<Subject>(data.index()); }
  /// Its tables, which read the profile where it is and keep it alive.
  table::TableSet tables() const;
};

/// Opens whatever the paths are, told by their content, as one profile: they must be of one subject. A file
/// that no subject reads is an error that says what it is.
Result<Profile> open(const std::vector<std::string>& paths, const OpenOptions& options = {});

/// A profile for each path, with names that tell them apart.
Result<std::vector<Profile>> open_each(const std::vector<std::string>& paths,
                                       const OpenOptions& options = {});

/// The subject of paths that belong together; an error where one is of no subject or of another one.
Result<Subject> subject_of(const std::vector<std::string>& paths, LogSearch search = LogSearch::kFurther);

/// A name for each path that is short and tells it from the others: the file's name, or the whole path.
std::vector<std::string> profile_names(const std::vector<std::string>& paths);

/// Runs of the same thing, each of one file or of several that belong together.
using RunInputs = std::vector<std::vector<std::string>>;

/// Takes `A1,A2+A2.csv` apart: commas between runs, plus signs between files of one run. A name that exists
/// as a file is never taken apart.
RunInputs run_inputs(const std::string& argument);

/// The files of one run, a profile for each subject that they are of, in the order of Subject.
Result<std::vector<Profile>> open_run(const std::vector<std::string>& paths, const OpenOptions& options);

}  // namespace ttscope::app
