// A table of declared.h.
#include <fmt/format.h>

#include "graph/analyse/findings.h"
#include "graph/analyse/names.h"
#include "graph/tables/declared.h"

namespace ttscope::graph {
namespace {

template <typename Get>
table::ColumnOf<Profile> of_finding(std::string_view name, std::string_view unit, std::string_view doc, Get) {
  return table::column<Profile>(name, unit, doc, [](const Profile& profile, std::size_t row) {
    return Get{}(profile, profile.findings[row]);
  });
}

std::optional<std::int64_t> bytes_or_none(std::int64_t bytes) {
  return bytes > 0 ? std::optional<std::int64_t>(bytes) : std::nullopt;
}

}  // namespace

const table::TableOf<Profile>& findings_spec() {
  static const table::TableOf<Profile> kSpec = table::table_of<Profile>(
      "findings", "What a reader of the figures must know",
      {
          of_finding("kind", "",
                     "`stopped_in_calls`, `l1_beyond_core`, `l1_sum_beyond_core` (only a sum over cores) or "
                     "`tied_by_size`",
                     [](const Profile&, const Finding& finding) { return name_of(finding.kind); }),
          of_finding("segment", "", "Number of the segment; null: all of them",
                     [](const Profile&, const Finding& finding) { return node_or_none(finding.segment); }),
          of_finding("bytes_per_core", "bytes per core", "L1 at the peak",
                     [](const Profile&, const Finding& finding) { return bytes_or_none(finding.bytes); }),
          of_finding(
              "limit_bytes_per_core", "bytes per core", "L1 that a core has",
              [](const Profile&, const Finding& finding) { return bytes_or_none(finding.limit_bytes); }),
          of_finding("count", "", "Calls that never ended, or frees",
                     [](const Profile&, const Finding& finding) {
                       return finding.count == 0 ? std::nullopt : std::optional<std::uint64_t>(finding.count);
                     }),
          of_finding("path", "", "The innermost call that never ended, with those around it",
                     [](const Profile& profile, const Finding& finding) -> std::optional<std::string> {
                       if (finding.call == kNone) return std::nullopt;
                       const ProfiledSegment& segment = profile.segments[finding.segment];
                       return call_path(*segment.trace, segment.profile, finding.call);
                     }),
          of_finding("lacks", "",
                     "What the capture lacks: `device`, `releases`, `core_ranges`, `bank_sizes`, `placement`",
                     [](const Profile&, const Finding& finding) -> std::optional<std::string> {
                       std::string text;
                       for (const Lack lack : finding.lacks)
                         text += fmt::format("{}{}", text.empty() ? "" : ", ", name_of(lack));
                       if (text.empty()) return std::nullopt;
                       return text;
                     }),
      });
  return kSpec;
}

}  // namespace ttscope::graph
