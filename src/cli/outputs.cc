#include "cli/outputs.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "cli/mem_profiles.h"
#include "cli/option_values.h"
#include "cli/terminal.h"

namespace ttscope::cli {

OptionSpec Outputs::file_option(std::string_view names, std::string_view value_name, std::string& path,
                                std::string_view help, ValueKind kind) {
  OptionSpec option = text_option(names, value_name, path, help, kind);
  option.take = [this, &path, kind](std::string_view key, const std::string& value) {
    path = value;
    named_.push_back({key, value, kind == ValueKind::kFile});
    return std::string();
  };
  return option;
}

OptionSpec Outputs::json_option(std::string_view help) { return file_option("--json", "PATH", json, help); }

OptionSpec Outputs::llm_option(std::string_view help) { return file_option("--llm", "PATH", llm, help); }

OptionSpec Outputs::html_option(std::string_view help) { return file_option("--html", "PATH", html, help); }

OptionSpec Outputs::top_option(std::string_view help, int least) {
  return number_option("--top", "N", least, top, help);
}

OptionSpec Outputs::color_option(std::string_view help, std::string_view bare) {
  OptionSpec option = choice_option("--color", "WHEN", {"auto", "always", "never"}, color, help);
  option.bare = bare;
  return option;
}

OptionSpec Outputs::quiet_option(std::string_view help) { return flag_option("-q,--quiet", quiet, help); }

bool Outputs::are_usable(const std::vector<std::string>& inputs) const {
  std::string_view on_stdout;
  for (const auto& [option, path, is_file] : named_) {
    if (path.empty()) {
      complain(fmt::format("{} needs a path", option));
      return false;
    }
    if (is_one_of(path, inputs)) {
      complain(fmt::format("{} {}: would overwrite the input", option, path));
      return false;
    }
    if (path != "-") continue;
    if (!on_stdout.empty()) {
      complain(fmt::format("only one of {} and {} can go to standard output", on_stdout, option));
      return false;
    }
    on_stdout = option;
  }
  return true;
}

int Outputs::on_stdout() const {
  return static_cast<int>(std::count_if(
      named_.begin(), named_.end(), [](const Named& named) { return named.is_file && named.path == "-"; }));
}

Result<void> Outputs::write(std::initializer_list<OutputFile> files) {
  for (const OutputFile& file : files) {
    if (Result<void> written = write_output(file.path, file.write); !written) return written;
    if (!file.path.empty() && file.path != "-") written_.push_back(file.path);
  }
  return {};
}

std::string Outputs::written_text() const {
  if (written_.empty()) return {};
  std::string text = "\nWritten\n";
  for (const std::string& what : written_) text += fmt::format("  {}\n", terminal_safe(what));
  return text;
}

bool Outputs::use_color() const { return cli::use_color(color, Stream::kOut); }

ui::TextOptions Outputs::text_options() const {
  return {.color = use_color(), .width = terminal_width(Stream::kOut), .top = top};
}

}  // namespace ttscope::cli
