#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/writer.h"
#include "fit/report.h"
#include "mem/analyze/memory_profile.h"
#include "mem/model/recorded_run.h"
#include "mem/write/page_tables.h"

namespace ttscope::mem {

struct MemPageOptions {
  std::string name{};               ///< what the report is called
  std::string_view tool_version{};  ///< of the program that writes the page
  std::string generated{};          ///< time as ISO 8601; empty: not said
  /// Sections that the input cannot fill, by their keys in docs/formats/report_page.md, with the sentence
  /// that says why and which input would. Others are found by looking at the profile.
  std::map<std::string, std::string> absent{};
  std::shared_ptr<const fit::Report> fit{};  ///< the section of devices; null: there is none
  PageTexts::Limits limits{};
  unsigned threads = 2;  ///< that compress, the caller's included
};

/// Writes the report page (docs/formats/report_page.md): one HTML file with the built front end and all data
/// inside. The caller finishes the writer.
void write_mem_page(const RuntimeLog& log, const MemoryProfile& profile, Writer& out,
                    const MemPageOptions& options);

/// The same of a profile; one made from the files of a run says what these cannot tell.
void write_mem_page(const Profile& profile, Writer& out, MemPageOptions options);

/// The built front end, with its three marks.
std::string_view page_template();

/// The sections of a report page that the files of a run cannot fill, for MemPageOptions::absent.
std::map<std::string, std::string> recorded_absence(const RecordedFiles& files);

}  // namespace ttscope::mem
