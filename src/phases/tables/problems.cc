// A table of declared.h.
#include "phases/tables/declared.h"

namespace ttscope::phases {
namespace {

template <typename Get>
table::ColumnOf<ProblemRows> of_info(std::string_view name, std::string_view doc, Get) {
  return table::column<ProblemRows>(name, "", doc, [](const ProblemRows& rows, std::size_t row) {
    return Get{}(info_of(rows.found[row]));
  });
}
const Place& first_place(const ProblemRows& rows, std::size_t row) {
  return rows.profile->log.problems.places(rows.found[row]).front();
}

}  // namespace

std::shared_ptr<const ProblemRows> problem_rows(std::shared_ptr<const Profile> profile) {
  auto rows = std::make_shared<ProblemRows>();
  rows->profile = std::move(profile);
  for (std::size_t i = 0; i < kPhaseProblemCount; ++i) {
    const auto problem = static_cast<PhaseProblem>(i);
    if (rows->profile->log.problems.count(problem) > 0) rows->found.push_back(problem);
  }
  return rows;
}

const table::TableOf<ProblemRows>& problems_spec() {
  static const table::TableOf<ProblemRows> kSpec = table::table_of<ProblemRows>(
      "problems", "A kind of problem in the input, with how often it is there",
      {
          of_info("problem", "Its key, as in the JSON documents",
                  [](const ProblemInfo& info) { return info.key; }),
          table::column<ProblemRows>("count", "", "How many there are",
                                     [](const ProblemRows& rows, std::size_t row) {
                                       return rows.profile->log.problems.count(rows.found[row]);
                                     }),
          of_info("repaired", "Whether the records are used all the same",
                  [](const ProblemInfo& info) { return info.repaired; }),
          of_info("what", "What it is and what became of the records",
                  [](const ProblemInfo& info) { return info.sentence; }),
          table::column<ProblemRows>("first_file", "", "Log where it is first",
                                     [](const ProblemRows& rows, std::size_t row) -> const std::string& {
                                       return rows.profile->log.files[first_place(rows, row).file];
                                     }),
          table::column<ProblemRows>(
              "first_line", "", "Line of that log",
              [](const ProblemRows& rows, std::size_t row) { return first_place(rows, row).line; }),
      });
  return kSpec;
}

}  // namespace ttscope::phases
