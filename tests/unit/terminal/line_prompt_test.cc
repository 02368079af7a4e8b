#include "terminal/prompts.h"

#include <gtest/gtest.h>

#include "terminal/keys.h"

namespace ttscope::terminal {
namespace {

/// The line after the bytes of some keys.
LineState typed(std::string_view bytes, LineState state = {}) {
  while (!bytes.empty()) {
    const DecodedKey decoded = decode_key(bytes, true);
    state = press(std::move(state), decoded.key).state;
    bytes.remove_prefix(decoded.size_bytes);
  }
  return state;
}

/// The text with a bar where the cursor is.
std::string with_cursor(const LineState& state) {
  std::string text = state.text;
  return text.insert(state.cursor, "|");
}

TEST(LinePrompt, EveryCharacterCanBeTyped) {
  EXPECT_EQ(with_cursor(typed("q~/Qüё模 j/k?")), "q~/Qüё模 j/k?|") << "q goes back nowhere here";
}

TEST(LinePrompt, Movement) {
  EXPECT_EQ(with_cursor(typed("abc\x1b[D\x1b[D")), "a|bc");
  EXPECT_EQ(with_cursor(typed("abc\x01")), "|abc");
  EXPECT_EQ(with_cursor(typed("abc\x1b[H\x1b[C")), "a|bc");
  EXPECT_EQ(with_cursor(typed("abc\x01\x05")), "abc|");
  EXPECT_EQ(with_cursor(typed("a模b\x1b[D\x1b[D")), "a|模b");
  EXPECT_EQ(with_cursor(typed("au\u0308\x1b[D")), "a|u\u0308") << "a letter with its mark is one";
  EXPECT_EQ(with_cursor(typed("x\x1b[D\x1b[D\x1b[C\x1b[C\x1b[C")), "x|") << "stays inside";
  EXPECT_EQ(with_cursor(typed("one/two three\x1b[1;5D\x1b[1;5D")), "one/|two three");
  EXPECT_EQ(with_cursor(typed("one/two\x01\x1b[1;5C")), "one|/two");
}

TEST(LinePrompt, Erasing) {
  EXPECT_EQ(with_cursor(typed("a模\x7f")), "a|");
  EXPECT_EQ(with_cursor(typed("\x7f")), "|");
  EXPECT_EQ(with_cursor(typed("abc\x01\x1b[3~")), "|bc");
  EXPECT_EQ(with_cursor(typed("abc\x01\x04")), "|bc");
  EXPECT_EQ(with_cursor(typed("abc\x1b[D\x15")), "|c");
  EXPECT_EQ(with_cursor(typed("abc\x01\x1b[C\x0b")), "a|");
  EXPECT_EQ(with_cursor(typed("logs/run one.log\x17")), "logs/run |");
  EXPECT_EQ(with_cursor(typed("logs/run/\x17")), "logs/|");
  EXPECT_EQ(with_cursor(typed("abc\x1b[3~")), "abc|");
}

TEST(LinePrompt, Endings) {
  EXPECT_EQ(press(LineState{}, {KeyCode::kEnter}).outcome, KeyOutcome::kDone);
  EXPECT_EQ(press(LineState{}, {KeyCode::kEscape}).outcome, KeyOutcome::kBack);
  EXPECT_EQ(press(LineState{}, {KeyCode::kTab}).outcome, KeyOutcome::kComplete);
  EXPECT_EQ(press(LineState{}, {KeyCode::kControl, "c"}).outcome, KeyOutcome::kInterrupt);
  EXPECT_EQ(press(LineState{}, {KeyCode::kControl, "d"}).outcome, KeyOutcome::kEnd);
  EXPECT_EQ(press(line_of("x"), {KeyCode::kControl, "d"}).outcome, KeyOutcome::kGoOn);
  EXPECT_EQ(press(LineState{}, {KeyCode::kUp}).outcome, KeyOutcome::kGoOn);
}

TEST(LinePrompt, PastedLineEndsDoNotAnswer) {
  EXPECT_EQ(with_cursor(typed("\x1b[200~/a/b.log\r\n\x1b[201~")), "/a/b.log|");
  EXPECT_EQ(with_cursor(typed("\x1b[200~one\ttwo\x1b\x1b[201~!")), "one two!|");
  LineState pasting = typed("\x1b[200~x");
  EXPECT_EQ(press(pasting, {KeyCode::kEnter}).outcome, KeyOutcome::kGoOn);
  EXPECT_EQ(press(pasting, {KeyCode::kControl, "c"}).outcome, KeyOutcome::kInterrupt) << "never a trap";
}

TEST(LinePrompt, ComplaintsGoWithTheTextTheyAreAbout) {
  LineState state = line_of("no.log");
  state.complaint = "missing";
  state.candidates = {"x"};
  EXPECT_EQ(press(state, {KeyCode::kLeft}).state.complaint, "missing");
  EXPECT_EQ(press(state, {KeyCode::kBackspace}).state.complaint, "");
  EXPECT_TRUE(press(state, {KeyCode::kBackspace}).state.candidates.empty());
}

TEST(LinePrompt, VeryLongPastesAreBounded) {
  EXPECT_LE(typed("\x1b[200~" + std::string(100000, 'x') + "\x1b[201~").text.size(), 40000U);
}

TEST(LinePrompt, TheCursorIsSeenAndEverythingFits) {
  const LineSpec spec = {"Enter the path to your log file:", "Tab completes, Esc goes back"};
  LineState state =
      line_of("/some/deep/folder/模型模型模型/with\x1b[31m/\xff\xfe/and/a/long/name_profile.log");
  state.complaint = "Invalid path: no such file or directory";
  for (int i = 0; i < 300; ++i) state.candidates.push_back("candidate-" + std::to_string(i));
  for (const Size size : {Size{24, 80}, Size{10, 30}, Size{6, 12}, Size{3, 5}, Size{1, 1}}) {
    for (state.cursor = 0; state.cursor <= state.text.size(); ++state.cursor) {
      const Frame frame = render(spec, state, size);
      EXPECT_LE(frame.lines.size(), size.rows);
      EXPECT_LT(frame.cursor_row, frame.lines.size());
      EXPECT_LE(frame.cursor_column, size.columns);
      for (const Line& line : frame.lines) {
        EXPECT_LE(line_columns(line), std::max<std::size_t>(size.columns - 1, 1));
        EXPECT_EQ(line_text(line, false).find('\x1b'), std::string::npos);
      }
    }
  }
}

TEST(LinePrompt, TheCursorStandsBehindTheTypedText) {
  const Frame frame = render(LineSpec{"Path:", ""}, line_of("a模b"), {});
  EXPECT_EQ(frame.cursor_row, 1U);
  EXPECT_EQ(frame.cursor_column, 2U + 4U);
  EXPECT_TRUE(frame.shows_cursor);
}

TEST(ConfirmPrompt, Answers) {
  const ConfirmSpec yes = {"Serve?", true};
  const ConfirmSpec no = {"Delete?", false};
  EXPECT_TRUE(press(yes, {KeyCode::kEnter}).answer);
  EXPECT_FALSE(press(no, {KeyCode::kEnter}).answer);
  EXPECT_TRUE(press(no, {KeyCode::kCharacter, "Y"}).answer);
  EXPECT_FALSE(press(yes, {KeyCode::kCharacter, "n"}).answer);
  EXPECT_EQ(press(yes, {KeyCode::kCharacter, "n"}).outcome, KeyOutcome::kDone);
  EXPECT_EQ(press(yes, {KeyCode::kEscape}).outcome, KeyOutcome::kBack);
  EXPECT_EQ(press(yes, {KeyCode::kCharacter, "x"}).outcome, KeyOutcome::kGoOn);
  EXPECT_EQ(press(yes, {KeyCode::kControl, "c"}).outcome, KeyOutcome::kInterrupt);
  EXPECT_EQ(press(yes, {KeyCode::kControl, "d"}).outcome, KeyOutcome::kEnd);
  EXPECT_EQ(choices_text(yes), "(Y/n)");
  EXPECT_EQ(choices_text(no), "(y/N)");
}

}  // namespace
}  // namespace ttscope::terminal
