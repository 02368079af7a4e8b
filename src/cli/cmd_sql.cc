#include "cli/cmd_sql.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "app/report_name.h"
#include "app/sql_text.h"
#include "app/table_catalog.h"
#include "app/timeline/open_timeline.h"
#include "cli/given_inputs.h"
#include "cli/open_profiles.h"
#include "cli/option_values.h"
#include "cli/signals.h"
#include "cli/sql_prompt.h"
#include "cli/table_output.h"
#include "cli/terminal.h"
#include "io/whole_text.h"
#include "table/document.h"
#include "timeline/tables/finding_text.h"
#include "timeline/write/terminal/timeline_words.h"

namespace ttscope::cli {
namespace {

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

struct SqlRequest {
  std::vector<std::string> files;
  std::optional<std::string> query;
  std::string csv_path;
  std::string json_path;

  TableForm form() const {
    if (!json_path.empty()) return TableForm::kJson;
    return csv_path.empty() ? TableForm::kText : TableForm::kCsv;
  }
  std::string path() const {
    if (!json_path.empty()) return json_path;
    return csv_path.empty() ? "-" : csv_path;
  }
};

bool is_file(const std::string& text) {
  std::error_code error;
  return text == "-" || std::filesystem::exists(text, error);
}

/// The last argument is the query unless it is a file.
bool read_request(const ParsedArgs& args, SqlRequest& request) {
  request.files = args.positionals;
  request.csv_path = args.value("--csv");
  request.json_path = args.value("--json");
  if (!are_usable_outputs(args, {"--csv", "--json"})) return false;
  if (!request.csv_path.empty() && !request.json_path.empty()) {
    complain("--csv and --json: one of them at a time");
    return false;
  }
  if (!request.files.empty() && !is_file(request.files.back())) {
    std::string last = std::move(request.files.back());
    request.files.pop_back();
    if (!last.empty() && last.find_first_of(" \t\n") == std::string::npos) {
      complain(fmt::format("{}: no such file or folder, and not a query", last));
      return false;
    }
    request.query = std::move(last);
  }
  if (!request.files.empty() || args.has("--schema")) return true;
  complain("missing FILE: ttscope sql FILE... 'select ...'");
  return false;
}

/// Runs queries.
class Session {
 public:
  static Result<Session> open(const std::vector<app::Profile>& profiles) {
    auto cancelled = std::make_unique<std::atomic<bool>>(false);
    Result<table::Database> database = app::open_database(profiles, {.cancelled = cancelled.get()});
    if (!database) return failure(database.error());
    return Session(std::move(*database), std::move(cancelled));
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
    const SignalRelay relay([this](int) { *cancelled_ = true; }, SignalRelay::Taken::kCtrlC);
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

int run_statements(Session& session, const SqlRequest& request, std::string_view text) {
  const std::vector<std::string> statements = app::statements_of(text);
  if (statements.empty()) {
    complain("no query: give one behind the files, or on standard input");
    return kUsage;
  }
  if (statements.size() > 1 && request.form() != TableForm::kText) {
    complain(fmt::format("{} statements: --csv and --json write the rows of one", statements.size()));
    return kUsage;
  }
  for (std::size_t i = 0; i < statements.size(); ++i) {
    if (i > 0) (void)print("\n");
    if (const int code = session.run(statements[i], request.form(), request.path()); code != kOk) return code;
  }
  return kOk;
}

int run_from_standard_input(Session& session, const SqlRequest& request) {
  if (std::find(request.files.begin(), request.files.end(), "-") != request.files.end()) {
    complain("missing the query: standard input is the profile");
    return kUsage;
  }
  const Result<io::WholeText> text = io::open_whole_text("-");
  if (!text) return fail(text.error());
  return run_statements(session, request, text->bytes());
}

int print_schema(const ParsedArgs& args) {
  const std::string text = args.has("--markdown") ? app::catalog_markdown() : app::catalog_text();
  return answer(text);
}

/// What the files hold as one timeline: host, devices and memory on one axis.
Result<std::vector<app::Profile>> open_as_timeline(const std::vector<std::string>& files) {
  const Result<std::vector<std::string>> paths = hold_streams(files);
  if (!paths) return failure(paths.error());
  app::TimelineOptions options;
  options.threads = std::max(1U, std::thread::hardware_concurrency());
  Result<timeline::Profile> profile = app::open_timeline(*paths, options);
  if (!profile) return failure(profile.error());
  if (!profile->timeline.has_content()) return failure(nothing_found(timeline::nothing_words(*paths)));
  for (const std::string& warning : timeline::warning_texts(profile->timeline)) complain(warning);
  return std::vector<app::Profile>{{app::report_name(profile->name), *paths,
                                    std::make_shared<const timeline::Profile>(std::move(*profile))}};
}

}  // namespace

CommandSpec sql_spec() {
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
                     "profiles, - for standard input; the last argument is the query unless it is a file",
                     0,
                     1000000,
                     ValueKind::kFile,
                     {}};
  spec.options = {
      {"--timeline",
       "",
       "the files as one timeline, as `ttscope timeline` reads them: also of the profiler's folders",
       ValueKind::kText,
       {}},
      {"--csv", "PATH", "write the rows as CSV, - for standard output", ValueKind::kFile, {}},
      {"--json", "PATH", "write the rows as a JSON list of objects", ValueKind::kFile, {}},
      {"--schema",
       "",
       "print tables, columns, types, units and views: of the files, or of all kinds of profiles",
       ValueKind::kText,
       {}},
      {"--markdown", "", "with --schema and no file: as docs/tables.md", ValueKind::kText, {}},
  };
  spec.examples = kSqlExamples;
  return spec;
}

int run_sql(const ParsedArgs& args) {
  SqlRequest request;
  if (!read_request(args, request)) return kUsage;
  if (args.has("--markdown") && (!args.has("--schema") || !request.files.empty())) {
    complain("--markdown goes with --schema and no file");
    return kUsage;
  }
  if (args.has("--schema") && (request.query || args.has("--json") || args.has("--csv"))) {
    complain("--schema prints what there is: give it no query, --json or --csv");
    return kUsage;
  }
  if (args.has("--timeline") && request.files.empty()) {
    complain("--timeline says how files are read: give it some");
    return kUsage;
  }
  if (request.files.empty()) return print_schema(args);
  const Result<std::vector<app::Profile>> profiles =
      args.has("--timeline") ? open_as_timeline(request.files) : open_profiles(request.files);
  if (!profiles) return fail(profiles.error());
  Result<Session> session = Session::open(*profiles);
  if (!session) return fail(session.error());
  if (args.has("--schema")) return answer(session->schema());
  if (request.query) return run_statements(*session, request, *request.query);
  if (isatty(STDIN_FILENO) != 0 && is_terminal(Stream::kOut)) return run_prompt(*session);
  return run_from_standard_input(*session, request);
}

}  // namespace ttscope::cli
