#include "terminal/prompts.h"

#include <gtest/gtest.h>

#include "terminal/frame.h"

namespace ttscope::terminal {
namespace {

Key character(std::string text) { return {KeyCode::kCharacter, std::move(text)}; }
Key control(char letter) { return {KeyCode::kControl, std::string(1, letter)}; }

ListSpec five(bool filters = false) {
  ListSpec spec;
  spec.question = "Which?";
  spec.items = {{"Yes", ""}, {"No, one", ""}, {"No, two", ""}, {"Browse", ""}, {"qwen", "big"}};
  spec.filters = filters;
  return spec;
}

/// The state after the keys; all of them have to go on.
ListState typed(const ListSpec& spec, const std::vector<Key>& keys) {
  ListState state;
  for (const Key& key : keys) {
    const ListStep step = press(spec, state, key, 3);
    EXPECT_EQ(step.outcome, KeyOutcome::kGoOn);
    state = step.state;
  }
  return state;
}

std::size_t selected(const std::vector<Key>& keys) { return typed(five(), keys).selected; }

std::string text_of(const Frame& frame) {
  std::string text;
  for (const Line& line : frame.lines) text += line_text(line, false) + "\n";
  return text;
}

TEST(ListPrompt, Movement) {
  EXPECT_EQ(selected({{KeyCode::kDown}, {KeyCode::kDown}, {KeyCode::kUp}}), 1U);
  EXPECT_EQ(selected({{KeyCode::kUp}}), 4U) << "round at the ends";
  EXPECT_EQ(selected({{KeyCode::kEnd}, {KeyCode::kDown}}), 0U);
  EXPECT_EQ(selected({{KeyCode::kPageDown}}), 3U);
  EXPECT_EQ(selected({{KeyCode::kPageDown}, {KeyCode::kPageDown}}), 4U) << "a page stops at the end";
  EXPECT_EQ(selected({{KeyCode::kEnd}, {KeyCode::kPageUp}}), 1U);
  EXPECT_EQ(selected({{KeyCode::kEnd}, {KeyCode::kHome}}), 0U);
  EXPECT_EQ(selected({{KeyCode::kTab}, control('n'), control('p')}), 1U);
  EXPECT_EQ(selected({character("j"), character("j"), character("k")}), 1U);
}

TEST(ListPrompt, LettersAndDigitsGoToItems) {
  EXPECT_EQ(selected({character("b")}), 3U);
  EXPECT_EQ(selected({character("N")}), 1U);
  EXPECT_EQ(selected({character("n"), character("n")}), 2U);
  EXPECT_EQ(selected({character("n"), character("n"), character("n")}), 1U);
  EXPECT_EQ(selected({character("4")}), 3U);
  EXPECT_EQ(selected({character("9")}), 0U);
  EXPECT_EQ(selected({character("x"), {KeyCode::kUnknown}}), 0U);
}

TEST(ListPrompt, Endings) {
  const ListSpec spec = five();
  EXPECT_EQ(press(spec, {}, {KeyCode::kEnter}, 3).outcome, KeyOutcome::kDone);
  EXPECT_EQ(press(spec, {}, {KeyCode::kEscape}, 3).outcome, KeyOutcome::kBack);
  EXPECT_EQ(press(spec, {}, character("q"), 3).outcome, KeyOutcome::kBack);
  EXPECT_EQ(press(spec, {}, character("Q"), 3).outcome, KeyOutcome::kBack);
  EXPECT_EQ(press(spec, {}, control('c'), 3).outcome, KeyOutcome::kInterrupt);
  EXPECT_EQ(press(spec, {}, control('d'), 3).outcome, KeyOutcome::kEnd);
}

TEST(ListPrompt, TypingFilters) {
  const ListSpec spec = five(true);
  const ListState state = typed(spec, {character("T"), character("w")});
  EXPECT_EQ(shown_items(spec, state), std::vector<std::size_t>{2});
  EXPECT_EQ(chosen_item(spec, state), 2U);
  EXPECT_NE(text_of(render(spec, state, {})).find("filter: Tw"), std::string::npos);
  const ListState shorter = press(spec, state, {KeyCode::kBackspace}, 3).state;
  EXPECT_EQ(shorter.filter, "T");
  EXPECT_EQ(typed(spec, {character("j")}).filter, "j") << "j and k belong to the filter";
}

TEST(ListPrompt, NamesThatBeginWithQ) {
  const ListSpec spec = five(true);
  const ListState state = typed(spec, {character("/"), character("q"), character("w")});
  EXPECT_EQ(chosen_item(spec, state), 4U);
  EXPECT_EQ(press(spec, {}, character("q"), 3).outcome, KeyOutcome::kBack) << "without / it goes back";
}

TEST(ListPrompt, EscapeClearsTheFilterFirst) {
  const ListSpec spec = five(true);
  const ListStep cleared = press(spec, typed(spec, {character("z")}), {KeyCode::kEscape}, 3);
  EXPECT_EQ(cleared.outcome, KeyOutcome::kGoOn);
  EXPECT_EQ(shown_items(spec, cleared.state).size(), 5U);
  EXPECT_EQ(press(spec, cleared.state, {KeyCode::kEscape}, 3).outcome, KeyOutcome::kBack);
}

TEST(ListPrompt, NothingMatches) {
  const ListSpec spec = five(true);
  const ListState state =
      typed(spec, {character("z"), {KeyCode::kDown}, {KeyCode::kEnd}, {KeyCode::kPageUp}});
  EXPECT_EQ(press(spec, state, {KeyCode::kEnter}, 3).outcome, KeyOutcome::kGoOn);
  EXPECT_NE(text_of(render(spec, state, {})).find("nothing matches"), std::string::npos);
}

TEST(ListPrompt, EmptyListIsHarmless) {
  ListSpec spec;
  for (const KeyCode code :
       {KeyCode::kUp, KeyCode::kDown, KeyCode::kEnd, KeyCode::kPageDown, KeyCode::kEnter}) {
    EXPECT_EQ(press(spec, {}, {code}, 3).state.selected, 0U);
  }
  EXPECT_EQ(press(spec, {}, character("x"), 3).outcome, KeyOutcome::kGoOn);
  render(spec, {}, {});
}

TEST(ListPrompt, TheSelectedItemIsAlwaysSeenAndFits) {
  ListSpec spec = five(true);
  for (int i = 0; i < 40; ++i)
    spec.items.push_back({"report 模型 " + std::to_string(i) + " with a long name", "1.2 MB  9%"});
  for (const Size size : {Size{24, 80}, Size{10, 30}, Size{5, 20}, Size{2, 8}, Size{1, 1}, Size{3, 200}}) {
    for (std::size_t i = 0; i < spec.items.size(); ++i) {
      ListState state;
      state.selected = i;
      const Frame frame = render(spec, state, size);
      EXPECT_LE(frame.lines.size(), size.rows);
      for (const Line& line : frame.lines)
        EXPECT_LE(line_columns(line), std::max<std::size_t>(size.columns - 1, 1));
      if (size.columns < 20) continue;
      EXPECT_EQ(line_text(frame.lines[frame.cursor_row], false).substr(0, 3), "❯") << size.rows << " " << i;
    }
  }
}

TEST(ListPrompt, TextOfOthersDoesNothing) {
  ListSpec spec = five();
  spec.items.push_back({"evil\x1b[2J\n", "\x07"});
  EXPECT_EQ(text_of(render(spec, {}, {})).find('\x1b'), std::string::npos);
  EXPECT_EQ(text_of(render(spec, {}, {})).find('\x07'), std::string::npos);
}

}  // namespace
}  // namespace ttscope::terminal
