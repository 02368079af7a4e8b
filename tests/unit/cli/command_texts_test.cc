// What is printed of the descriptions of commands: help, and completions of shells.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "ui/text.h"

namespace ttscope::cli {
namespace {

using ::testing::HasSubstr;

CommandSpec described(std::size_t least, std::size_t most) {
  CommandSpec spec;
  spec.program = "tool work";
  spec.positional = {"FILE", "what to work on", least, most, ValueKind::kFile, {}};
  return spec;
}

TEST(UsageLine, SaysHowManyArgumentsThereAre) {
  EXPECT_EQ(usage_line(described(0, 0)), "Usage: tool work\n");
  EXPECT_EQ(usage_line(described(1, 1)), "Usage: tool work FILE\n");
  EXPECT_EQ(usage_line(described(0, 1)), "Usage: tool work [FILE]\n");
  EXPECT_EQ(usage_line(described(1, 9)), "Usage: tool work FILE...\n");
  EXPECT_EQ(usage_line(described(0, 9)), "Usage: tool work [FILE...]\n");
  CommandSpec with_options = described(1, 1);
  with_options.options = {{"--mode", "MODE", "how", ValueKind::kText, {}}};
  EXPECT_EQ(usage_line(with_options), "Usage: tool work FILE [options]\n");
  with_options.positional.takes_rest = true;
  with_options.positional.max = 9;
  EXPECT_EQ(usage_line(with_options), "Usage: tool work [options] FILE [ARG...]\n");
}

TEST(HelpText, LongNamesStandInOneColumnAndLongTextsHangBelowTheirs) {
  CommandSpec spec = described(1, 1);
  spec.options = {{"-o,--output", "PATH", "where it goes", ValueKind::kFile, {}},
                  {"--quiet",
                   "",
                   "a text that goes on for much longer than one line of eighty columns has",
                   ValueKind::kText,
                   {}},
                  {"--a-name-beyond-its-column", "X", "below", ValueKind::kText, {}}};
  const std::string text = help_text(spec);
  EXPECT_THAT(text, HasSubstr("\n  -o, --output PATH     where it goes\n"));
  EXPECT_THAT(text, HasSubstr("\n      --quiet           a text that goes on"));
  EXPECT_THAT(text, HasSubstr("\n                        eighty columns has\n"));
  EXPECT_THAT(text, HasSubstr("\n      --a-name-beyond-its-column X\n                        below\n"));
}

TEST(HelpText, NoLineOfAnyCommandIsWiderThanATerminal) {
  for (const Command& command : all_commands()) {
    const std::string text = help_text(command.spec());
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      EXPECT_LE(ui::display_width(text.substr(at, end - at)), 80u)
          << command.name << ": " << text.substr(at, end - at);
      at = end + 1;
    }
  }
}

TEST(Commands, HaveNamesOfTheirOwnAndAreFoundByThem) {
  std::set<std::string_view> names;
  for (const Command& command : all_commands()) {
    EXPECT_TRUE(names.insert(command.name).second) << command.name;
    EXPECT_EQ(find_command(command.name), &command);
    EXPECT_THAT(std::string(command.spec().program), ::testing::EndsWith(std::string(command.name)));
  }
  EXPECT_EQ(find_command("no-such-command"), nullptr);
  EXPECT_EQ(find_command(""), nullptr);
}

TEST(CompletionScript, KnowsEveryCommandAndEveryLongOptionInEveryShell) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const std::string script = completion_script(shell);
    for (const Command& command : all_commands()) {
      EXPECT_THAT(script, HasSubstr(std::string(command.name))) << shell;
      for (const OptionSpec& option : command.spec().options) {
        const std::string name(option.key());
        // fish has names without their dashes
        EXPECT_THAT(script, HasSubstr(shell == std::string_view("fish") ? name.substr(2) : name)) << shell;
      }
    }
  }
}

}  // namespace
}  // namespace ttscope::cli
