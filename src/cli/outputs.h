#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/writer.h"
#include "cli/command_line.h"
#include "ui/text.h"

namespace ttscope::cli {

/// A file that a command can write: the path that the user named (empty: it is not wanted) and the writer.
struct OutputFile {
  template <typename Write>
  OutputFile(const std::string& output_path, Write write_it) : path(output_path) {
    if constexpr (std::is_void_v<std::invoke_result_t<Write, Writer&>>) {
      write = [write_it](Writer& out) -> Result<void> {
        write_it(out);
        return {};
      };
    } else {
      write = write_it;
    }
  }

  const std::string& path;
  std::function<Result<void>(Writer&)> write;
};

/// How a command answers, shared by all commands: the files that options name, and the text on standard
/// output. Options are bound to this object, which therefore stays where it is.
class Outputs {
 public:
  explicit Outputs(int usual_top = 0) : top(usual_top) {}
  Outputs(const Outputs&) = delete;
  Outputs& operator=(const Outputs&) = delete;

  std::string json;
  std::string llm;
  std::string html;
  std::string color = "auto";
  int top = 0;
  bool quiet = false;

  // The options, for the list of a command.
  OptionSpec json_option(std::string_view help = "write everything as one JSON document");
  OptionSpec llm_option(std::string_view help = "write the markdown report");
  OptionSpec html_option(std::string_view help = "write the report page: one file, opens in any browser");
  OptionSpec top_option(std::string_view help, int least = 0);
  /// `bare`: what the option means without a value; empty: it needs one.
  OptionSpec color_option(std::string_view help = "auto, always or never", std::string_view bare = {});
  OptionSpec quiet_option(std::string_view help = "no summary");
  /// A file, or a folder, that only this command writes.
  OptionSpec file_option(std::string_view names, std::string_view value_name, std::string& path,
                         std::string_view help, ValueKind kind = ValueKind::kFile);

  /// Whether the files can be written: they have a name, none is one of the inputs, and at most one is
  /// standard output. Complains otherwise.
  bool are_usable(const std::vector<std::string>& inputs) const;
  /// How many of the files go to standard output.
  int on_stdout() const;
  /// Whether a text is printed.
  bool prints() const { return !quiet && on_stdout() == 0; }

  /// Writes those of the files that are wanted, in this order, up to the first that fails.
  Result<void> write(std::initializer_list<OutputFile> files);
  /// Also written: what is not one file.
  void add_written(std::string what) { written_.push_back(std::move(what)); }
  /// What was written but to standard output.
  const std::vector<std::string>& written() const { return written_; }
  /// The list "Written", for the end of a summary; empty: nothing was written.
  std::string written_text() const;

  bool use_color() const;
  /// For a text on standard output.
  ui::TextOptions text_options() const;

 private:
  struct Named {
    std::string_view option;
    std::string path;
    bool is_file = true;
  };
  std::vector<Named> named_;  ///< in the order of the help
  std::vector<std::string> written_;
};

}  // namespace ttscope::cli
