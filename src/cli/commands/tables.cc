#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "app/open.h"
#include "app/report_library.h"
#include "app/sql.h"
#include "app/timeline/open_timeline.h"
#include "base/files.h"
#include "base/result.h"
#include "base/text.h"
#include "base/writer.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/inputs.h"
#include "cli/menu/screen.h"
#include "cli/option_values.h"
#include "cli/outputs.h"
#include "cli/signals.h"
#include "cli/terminal.h"
#include "io/open_input.h"
#include "table/table.h"
#include "table/write.h"
#include "terminal/prompts.h"
#include "timeline/tables/tables.h"
#include "timeline/write/outputs.h"

namespace ttscope::cli {
namespace {

/// The forms that rows are written in.
enum class TableForm { kText, kCsv, kJson };

Result<void> write(table::RowSource& rows, TableForm form, Writer& out) {
  switch (form) {
    case TableForm::kCsv:
      return table::write_csv(rows, out);
    case TableForm::kJson:
      return table::write_json(rows, out);
    case TableForm::kText:
      break;
  }
  table::TableTextOptions options;
  if (is_terminal(Stream::kOut)) options.width = static_cast<std::size_t>(terminal_width(Stream::kOut));
  return table::write_text(rows, out, options);
}

/// Writes rows to a path, `-` for standard output; the file is there as a whole or not at all. Text follows
/// the width of the terminal where standard output is one.
Result<void> write_rows(table::RowSource& rows, TableForm form, const std::string& path) {
  return write_output(path, [&](Writer& out) { return write(rows, form, out); });
}

using terminal::KeyCode;
using terminal::KeyOutcome;

/// Empty: there is no place for it.
std::string history_path() {
  const Result<std::string> reports = app::library_folder(own_environment());
  if (!reports) return {};
  return (std::filesystem::path(*reports).parent_path() / "sql_history").string();
}

terminal::LineHistory read_history() {
  std::ifstream file(history_path(), std::ios::binary);
  return terminal::history_of(std::string{std::istreambuf_iterator<char>(file), {}});
}

/// A history that cannot be kept is no trouble worth a word.
void keep_history(const terminal::LineHistory& history) {
  const std::string path = history_path();
  if (path.empty() || history.lines().empty()) return;
  const PrivateFiles keeps_private;
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
  (void)write_file(path, [&](Writer& out) { out.write(terminal::text_of(history)); });
  // One of an earlier version keeps its mode.
  std::filesystem::permissions(path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write,
                               ignored);
}

constexpr const char* kFirstPrompt = "❯ ";
constexpr const char* kContinuationPrompt = "… ";  // a statement is open

/// A line of the prompt; neither text nor `is_over`: what was open is dropped.
struct Typed {
  std::optional<std::string> text{};
  bool is_over = false;
};

class Prompt {
 public:
  Prompt() : color_(use_color("auto", Stream::kOut)), history_(read_history()) {}

  Typed ask(const char* mark) {
    Screen screen(color_, typed_);
    terminal::LineState state;
    while (true) {
      screen.show(terminal::render({"", "", mark}, state, screen.size()));
      terminal::Key key;
      const Screen::Event event = screen.next(key);
      if (event == Screen::Event::kRedraw) continue;
      if (event != Screen::Event::kKey) return over(screen, event);
      switch (press(state, key)) {
        case KeyOutcome::kDone:
          return answered(screen, mark, state.text);
        case KeyOutcome::kInterrupt:
          if (mark == kContinuationPrompt) return dropped(screen);
          if (state.text.empty()) return over(screen, event);
          state = {};
          break;
        case KeyOutcome::kBack:
        case KeyOutcome::kEnd:
          if (state.text.empty()) return over(screen, event);
          break;
        default:
          break;
      }
    }
  }

  int signal_number() const { return signal_number_; }
  const terminal::LineHistory& history() const { return history_; }

 private:
  KeyOutcome press(terminal::LineState& state, const terminal::Key& key) {
    const bool is_older = key.is(KeyCode::kUp) || key.is_control('p');
    if (!state.is_pasting && (is_older || key.is(KeyCode::kDown) || key.is_control('n'))) {
      state = terminal::line_of(is_older ? history_.older(state.text) : history_.newer(state.text));
      return KeyOutcome::kGoOn;
    }
    terminal::LineStep step = terminal::press(state, key);
    state = std::move(step.state);
    return step.outcome;
  }

  Typed answered(Screen& screen, const char* mark, const std::string& text) {
    screen.leave({{{mark, terminal::Style::kAccent}, {terminal_safe(text)}}});
    history_.add(text);
    return {text};
  }

  static Typed dropped(Screen& screen) {
    screen.leave({});
    return {};
  }

  Typed over(Screen& screen, Screen::Event event) {
    screen.leave({});
    if (event == Screen::Event::kSignal) signal_number_ = screen.signal_number();
    return {{}, true};
  }

  bool color_;
  std::string typed_;
  terminal::LineHistory history_;
  int signal_number_ = 0;
};

bool is_quit_command(const std::string& line) {
  return line == ".quit" || line == ".exit" || line == "quit" || line == "exit";
}

/// Asks for statements on the terminal until Ctrl-D, Esc on an empty line, `.quit` or a signal, and gives
/// each to `run`: a statement goes on over lines until its semicolon, under another mark, and Ctrl-C drops
/// it. A line that begins with a dot is given as it is. The arrow keys go through the lines that were typed
/// before, also in earlier sessions (sql_history in $TTMEM_HOME or ~/.ttmem). The exit code.
int run_sql_prompt(const std::function<void(const std::string&)>& run) {
  Prompt prompt;
  std::string open;  // the lines of a statement without its semicolon
  for (Typed typed = prompt.ask(kFirstPrompt); !typed.is_over;
       typed = prompt.ask(open.empty() ? kFirstPrompt : kContinuationPrompt)) {
    if (!typed.text) {
      open.clear();
      continue;
    }
    const bool is_first = open.empty();
    open += *typed.text;
    if (is_first && is_quit_command(open)) break;
    if (!(is_first && open.starts_with('.')) && app::is_open_statement(open)) {
      open += '\n';
      continue;
    }
    if (open.find_first_not_of(" \t\n") != std::string::npos) {
      keep_history(prompt.history());  // before: whoever closes the terminal ends the program in the query
      run(open);
    }
    open.clear();
  }
  keep_history(prompt.history());
  return prompt.signal_number() == 0 ? static_cast<int>(kOk) : kSignalBase + prompt.signal_number();
}

constexpr std::string_view kSqlExamples =
    "Examples:\n"
    "  ttscope sql run.log 'select name, count(*) from ops group by name'\n"
    "  ttscope sql ops.csv 'select * from perf_slowest_ops' --csv slow.csv\n"
    "  ttscope sql a.log b.log 'select profile, count(*) from ops group by profile'\n"
    "  ttscope sql run.log                       a prompt; .quit ends it\n"
    "  ttscope sql --timeline rank0 'select * from timeline_zones limit 9'\n"
    "  ttscope sql run.log < queries.sql         statements from standard input\n"
    "  ttscope sql --schema                      all tables, columns and ready views\n"
    "\n"
    "Exit codes: 0 ok, also when no row fits, 1 bad input or failed output,\n"
    "2 wrong usage or a wrong query, 4 nothing of its kind in a file\n";

struct SqlOptions {
  std::vector<std::string> files;
  std::optional<std::string> query;
  Outputs outputs;
  std::string csv;
  bool as_timeline = false;
  bool schema = false;
  bool markdown = false;

  TableForm form() const {
    if (!outputs.json.empty()) return TableForm::kJson;
    return csv.empty() ? TableForm::kText : TableForm::kCsv;
  }
  std::string path() const {
    if (!outputs.json.empty()) return outputs.json;
    return csv.empty() ? "-" : csv;
  }
};

CommandSpec describe_sql(SqlOptions& options) {
  CommandSpec spec;
  spec.program = "ttscope sql";
  spec.summary = "ask a profile of any kind by SQL";
  spec.description =
      "Opens profiles of any kind (runtime logs, training logs, graph captures, files of the device "
      "profiler) and "
      "runs a query over their tables, read-only. Several files share tables; the column `profile` tells "
      "them "
      "apart. Without a query there is a prompt, or standard input is read where it is no terminal.";
  spec.positional = {"FILE... [QUERY]",
                     "profiles, - for standard input; the last argument is the query unless it is a file", 0,
                     kManyArguments};
  spec.arguments = &options.files;
  spec.options = {
      flag_option(
          "--timeline", options.as_timeline,
          "the files as one timeline, as `ttscope timeline` reads them: also of the profiler's folders"),
      options.outputs.file_option("--csv", "PATH", options.csv,
                                  "write the rows as CSV, - for standard output"),
      options.outputs.json_option("write the rows as a JSON list of objects"),
      flag_option("--schema", options.schema,
                  "print tables, columns, types, units and views: of the files, or of all kinds of profiles"),
      flag_option("--markdown", options.markdown, "with --schema and no file: as docs/tables.md"),
  };
  spec.examples = kSqlExamples;
  return spec;
}

bool is_file(const std::string& text) {
  std::error_code error;
  return text == "-" || std::filesystem::exists(text, error);
}

/// The last argument is the query unless it is a file. False and a complaint where options do not go
/// together.
bool settle(SqlOptions& options) {
  if (!options.outputs.are_usable(options.files)) return false;
  const bool writes_json = !options.outputs.json.empty();
  const bool writes_csv = !options.csv.empty();
  if (writes_csv && writes_json) {
    complain("--csv and --json: one of them at a time");
    return false;
  }
  if (!options.files.empty() && !is_file(options.files.back())) {
    std::string last = std::move(options.files.back());
    options.files.pop_back();
    if (!last.empty() && last.find_first_of(" \t\n") == std::string::npos) {
      complain(fmt::format("{}: no such file or folder, and not a query", last));
      return false;
    }
    options.query = std::move(last);
  }
  std::string problem;
  if (options.files.empty() && !options.schema) {
    problem = "missing FILE: ttscope sql FILE... 'select ...'";
  } else if (options.markdown && (!options.schema || !options.files.empty())) {
    problem = "--markdown goes with --schema and no file";
  } else if (options.schema && (options.query || writes_json || writes_csv)) {
    problem = "--schema prints what there is: give it no query, --json or --csv";
  } else if (options.as_timeline && options.files.empty()) {
    problem = "--timeline says how files are read: give it some";
  }
  if (!problem.empty()) complain(problem);
  return problem.empty();
}

/// Runs queries.
class Session {
 public:
  static Result<Session> open(const std::vector<app::Profile>& profiles) {
    auto cancelled = std::make_unique<std::atomic<bool>>(false);
    ASSIGN_OR_RETURN(table::Database database, app::open_database(profiles, {.cancelled = cancelled.get()}));
    return Session(std::move(database), std::move(cancelled));
  }

  std::string schema() const { return table::schema_text(database_.tables(), database_.views()); }

  /// The exit code; what is wrong with a query is said.
  int run(const std::string& query, TableForm form, const std::string& path) {
    Result<std::unique_ptr<table::RowSource>> rows = database_.run(query);
    if (!rows) return wrong_query(rows.error());
    const Result<void> written = write_rows(**rows, form, path);
    if (written) return kOk;
    return written.error().code == ErrorCode::kWriteFailed ? fail(written.error())
                                                           : wrong_query(written.error());
  }

  /// For a prompt: Ctrl-C ends the query and not the program. Elsewhere signals end the program at once, also
  /// while it waits for who reads its rows.
  int run_until_interrupted(const std::string& query) {
    *cancelled_ = false;
    const SignalRelay relay([this](int) { *cancelled_ = true; }, SignalRelay::Signals::kCtrlC);
    return run(query, TableForm::kText, "-");
  }

 private:
  Session(table::Database database, std::unique_ptr<std::atomic<bool>> cancelled)
      : cancelled_(std::move(cancelled)), database_(std::move(database)) {}

  static int wrong_query(const Error& error) {
    complain(error.message);
    return kUsage;
  }

  std::unique_ptr<std::atomic<bool>> cancelled_;
  table::Database database_;
};

int run_prompt(Session& session) {
  say("SQL over this profile: a statement ends with ;  .schema lists tables and views, .quit or Ctrl-D "
      "ends.\n");
  return run_sql_prompt([&](const std::string& line) {
    if (line == ".schema" || line == ".tables" || line == ".help") {
      (void)answer(session.schema());
      return;
    }
    for (const std::string& statement : app::statements_of(line)) {
      if (session.run_until_interrupted(statement) != kOk) return;
    }
  });
}

int run_statements(Session& session, const SqlOptions& options, std::string_view text) {
  const std::vector<std::string> statements = app::statements_of(text);
  if (statements.empty()) {
    complain("no query: give one behind the files, or on standard input");
    return kUsage;
  }
  if (statements.size() > 1 && options.form() != TableForm::kText) {
    complain(fmt::format("{} statements: --csv and --json write the rows of one", statements.size()));
    return kUsage;
  }
  for (std::size_t i = 0; i < statements.size(); ++i) {
    if (i > 0) (void)print("\n");
    if (const int code = session.run(statements[i], options.form(), options.path()); code != kOk) return code;
  }
  return kOk;
}

int run_from_standard_input(Session& session, const SqlOptions& options) {
  if (std::find(options.files.begin(), options.files.end(), "-") != options.files.end()) {
    complain("missing the query: standard input is the profile");
    return kUsage;
  }
  const Result<io::WholeText> text = io::open_whole_text("-");
  if (!text) return fail(text.error());
  return run_statements(session, options, text->bytes());
}

/// What the files hold as one timeline: host, devices and memory on one axis.
Result<std::vector<app::Profile>> open_as_timeline(const std::vector<std::string>& files) {
  ASSIGN_OR_RETURN(const std::vector<std::string> paths, hold_streams(files));
  app::TimelineOptions options;
  options.threads = std::max(1U, std::thread::hardware_concurrency());
  ASSIGN_OR_RETURN(timeline::Profile profile, app::open_timeline(paths, options));
  if (!profile.timeline.has_content()) return failure(nothing_found(timeline::no_input_text(paths)));
  for (const std::string& warning : timeline::warning_texts(profile.timeline)) complain(warning);
  return std::vector<app::Profile>{
      {app::report_name(profile.name), paths, std::make_shared<const timeline::Profile>(std::move(profile))}};
}

int run_sql(SqlOptions& options) {
  if (!settle(options)) return kUsage;
  if (options.files.empty()) return answer(options.markdown ? app::catalog_markdown() : app::catalog_text());
  const Result<std::vector<app::Profile>> profiles =
      options.as_timeline ? open_as_timeline(options.files) : open_profiles(options.files);
  if (!profiles) return fail(profiles.error());
  Result<Session> session = Session::open(*profiles);
  if (!session) return fail(session.error());
  if (options.schema) return answer(session->schema());
  if (options.query) return run_statements(*session, options, *options.query);
  if (isatty(STDIN_FILENO) != 0 && is_terminal(Stream::kOut)) return run_prompt(*session);
  return run_from_standard_input(*session, options);
}

constexpr std::string_view kExportExamples =
    "Examples:\n"
    "  ttscope export run.log --table ops -o ops.csv\n"
    "  ttscope export run.log --table buffers -o buffers.json\n"
    "  ttscope export ops_perf_results.csv --table ops --format csv | head\n"
    "  ttscope export run.log                    which tables there are\n"
    "\n"
    "Exit codes: 0 ok, 1 bad input or failed output, 2 wrong usage,\n4 nothing of its kind in it\n";

/// The form by the option, else by the end of the name; nothing for an unknown one.
std::optional<TableForm> form_of(const std::string& format, const std::string& path) {
  const auto is = [&](std::string_view name) {
    if (!format.empty()) return format == name;
    return path.size() > name.size() && std::string_view(path).ends_with(name) &&
           path[path.size() - name.size() - 1] == '.';
  };
  if (is("csv")) return TableForm::kCsv;
  if (is("json")) return TableForm::kJson;
  return std::nullopt;
}

std::string list_of(const table::TableSet& set) {
  std::size_t width = 0;
  for (const table::Table& table : set.tables) width = std::max(width, table.spec().name.size());
  std::string text;
  for (const table::Table& table : set.tables) {
    text += fmt::format("  {:<{}}{:>9} rows  {}\n", table.spec().name, width, table.rows(), table.spec().doc);
  }
  return text;
}

int unknown_table(const std::string& name, const table::TableSet& set) {
  std::vector<std::string_view> names;
  names.reserve(set.tables.size());
  for (const table::Table& table : set.tables) names.push_back(table.spec().name);
  const std::string_view near = nearest_name(name, names);
  complain(fmt::format("no table {}{}; there are {}", name,
                       near.empty() ? "" : fmt::format("; did you mean {}?", near), fmt::join(names, ", ")));
  return kUsage;
}

struct ExportOptions {
  std::vector<std::string> files;
  Outputs outputs;
  std::string path;
  std::optional<std::string> table;
  std::string format;
};

CommandSpec describe_export(ExportOptions& options) {
  CommandSpec spec;
  spec.program = "ttscope export";
  spec.summary = "a table of a profile as CSV or JSON";
  spec.description =
      "Writes one table of a profile of any kind, all its rows and columns, as CSV or as a JSON list of "
      "objects. "
      "Without --table it lists the tables. `ttscope sql --schema` says what their columns mean.";
  spec.positional = {"FILE", "a profile of any kind; - for standard input", 1, 1};
  spec.arguments = &options.files;
  spec.options = {
      text_option("--table", "NAME", options.table, "which table"),
      options.outputs.file_option("-o,--output", "PATH", options.path,
                                  "where to: NAME.csv or NAME.json (default: standard output)"),
      choice_option("--format", "FORM", {"csv", "json"}, options.format, "csv or json, whatever the name"),
  };
  spec.examples = kExportExamples;
  return spec;
}

int export_table(const ExportOptions& options, TableForm form, const std::string& path) {
  const Result<std::vector<app::Profile>> profiles = open_profiles(options.files);
  if (!profiles) return fail(profiles.error());
  const table::TableSet set = profiles->front().tables();
  if (!options.table) return answer(list_of(set));
  const table::Table* table = set.find(*options.table);
  if (table == nullptr) return unknown_table(*options.table, set);
  table::TableRows rows(*table);
  const Result<void> written = write_rows(rows, form, path);
  return written ? static_cast<int>(kOk) : fail(written.error());
}

int run_export(ExportOptions& options) {
  if (!options.outputs.are_usable(options.files)) return kUsage;
  if (!options.table && (!options.path.empty() || !options.format.empty())) {
    complain("missing --table NAME: which table is to be written?");
    return kUsage;
  }
  const std::string path = options.path.empty() ? "-" : options.path;
  const std::string usual_format = path == "-" ? "csv" : "";
  const std::optional<TableForm> form = form_of(options.format.empty() ? usual_format : options.format, path);
  if (!form) {
    complain(fmt::format("--output {}: expected a name that ends with .csv or .json, or --format", path));
    return kUsage;
  }
  return export_table(options, *form, path);
}

}  // namespace

Command sql_command() { return make_command("sql", describe_sql, run_sql); }

Command export_command() { return make_command("export", describe_export, run_export); }

}  // namespace ttscope::cli
