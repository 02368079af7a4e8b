// What is recorded is read back: any tree of zones with any texts.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "support/temp_folder.h"
#include "timeline/load.h"
#include "unit/record/record_case.h"

namespace ttscope::record {
namespace {

/// A mark: 0 begins a zone, 1 ends one, 2 adds text, 3 renames, 4 is a message.
using Marks = std::vector<std::pair<int, std::string>>;

/// What a timeline has to show: a line for each zone and message.
struct Shown {
  std::vector<std::string> zones;
  std::vector<std::string> messages;

  bool operator==(const Shown&) const = default;
};

struct MadeZone {
  std::string name;
  std::string text;
  std::string first_name;
};

/// Plays the marks: into the recorder, and into what is expected.
Shown play(const Marks& marks) {
  Shown shown;
  std::vector<MadeZone> zones;
  std::vector<std::size_t> depths;
  std::vector<std::size_t> open;
  for (const auto& [kind, words] : marks) {
    if (kind == 0) {
      const ttscope_record_place place = {words.c_str(), "f", "a.cc", 3, 0};
      ttscope_record_zone_begin_at(&place);
      open.push_back(zones.size());
      depths.push_back(open.size() - 1);
      const std::string name = words.empty() ? "f" : words;
      zones.push_back({name, "", name});
    } else if (kind == 1) {
      ttscope_record_zone_end();
      if (!open.empty()) open.pop_back();
    } else if (kind == 2) {
      ttscope_record_zone_text(TTSCOPE_RECORD_INNERMOST, words.data(), words.size());
      if (!open.empty()) zones[open.back()].text += (zones[open.back()].text.empty() ? "" : "\n") + words;
    } else if (kind == 3) {
      ttscope_record_zone_name(TTSCOPE_RECORD_INNERMOST, words.data(), words.size());
      if (!open.empty()) zones[open.back()].name = words.empty() ? zones[open.back()].first_name : words;
    } else {
      ttscope_record_message(words.data(), words.size(), 0);
      shown.messages.push_back(words);
    }
  }
  for (; !open.empty(); open.pop_back()) ttscope_record_zone_end();
  for (std::size_t i = 0; i < zones.size(); ++i) {
    shown.zones.push_back(std::to_string(depths[i]) + " " + zones[i].name + " " + zones[i].text);
  }
  return shown;
}

Shown shown_of(const timeline::Timeline& timeline) {
  Shown shown;
  for (std::size_t zone = 0; zone < timeline.zones.size(); ++zone) {
    shown.zones.push_back(std::to_string(timeline.zones.depth[zone]) + " " +
                          std::string(timeline.name_of_zone(zone)) + " " +
                          std::string(timeline.text(timeline.details[timeline.zones.detail[zone]].text)));
  }
  for (const timeline::Message& message : timeline.messages)
    shown.messages.emplace_back(timeline.text(message.text));
  return shown;
}

RC_GTEST_PROP(RecorderProperty, RecordedIsReadBack, ()) {
  const auto word = rc::gen::container<std::string>(rc::gen::inRange<char>('a', 'z'));
  const auto marks = *rc::gen::container<Marks>(rc::gen::pair(rc::gen::inRange(0, 5), word));
  const testing::TempFolder folder;
  RC_ASSERT(ttscope_record_start(folder.path().c_str()) == 1);
  const Shown expected = play(marks);
  ttscope_record_stop();
  const Result<timeline::Timeline> read = timeline::load_timeline({folder.path()});
  RC_ASSERT(read.has_value());
  RC_ASSERT(shown_of(*read).zones == expected.zones);
  RC_ASSERT(shown_of(*read).messages == expected.messages);
  RC_ASSERT(!read->problems.any());
}

}  // namespace
}  // namespace ttscope::record
