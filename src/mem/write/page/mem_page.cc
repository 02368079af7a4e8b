#include "mem/write/page/mem_page.h"

#include "base/parallel.h"
#include "base/text_escape.h"
#include "fit/write/fit_json.h"
#include "mem/write/json/mem_json.h"
#include "mem/write/page/page_header.h"
#include "mem/write/page/rank_columns.h"
#include "mem/write/page/recorded_absence.h"
#include "report/json_text.h"
#include "report/page_frame.h"

namespace ttscope::mem {
namespace {

constexpr std::string_view kDataMark = "<!--ttscope:data-->";
constexpr std::size_t kListLimit = 200;

class PageWriter {
 public:
  PageWriter(const RuntimeTrace& trace, const MemoryProfile& profile, const MemPageOptions& options)
      : trace_(trace),
        profile_(profile),
        options_(options),
        source_(std::make_shared<const TableSource>(trace, profile)),
        tables_(trace, profile),
        texts_(trace, profile, tables_, options.limits) {
    for (std::size_t i = 0; i < trace.ranks.size(); ++i) {
      points_.push_back(find_points(trace.ranks[i], profile.ranks[i]));
    }
    for (std::uint32_t i = 0; i < trace.ranks.size(); ++i) add_rank(i);
    tables_.add_to(data_);
    texts_.add_to(data_);
    if (options.fit != nullptr) data_.add("fit.document", [this] { return fit_document(); });
  }

  void write(Writer& out) {
    encode();
    std::string_view rest = page_template();
    rest = report::write_page_until(out, rest, report::kTitleMark, rest.find(report::kTitleMark));
    out.write(markup_text(options_.name));
    rest = report::write_page_until(out, rest, report::kHeadMark, rest.find(report::kHeadMark));
    const PageContent content{trace_, profile_, options_, points_, tables_, texts_, {&head_, &data_}};
    report::write_page_block(out, "application/json", "ttscope-page", page_header(content));
    report::write_page_block(out, "application/json", "ttscope-mem", document_);
    write_blobs(out, head_, 0);
    rest = report::write_page_until(out, rest, kDataMark, rest.rfind(kDataMark));
    write_blobs(out, data_, head_.list().size());
    out.write(rest);
  }

 private:
  void add_rank(std::uint32_t index) {
    const RankView rank{index, trace_.ranks[index], profile_.ranks[index], points_[index], tables_, source_};
    add_overview(head_, rank);
    add_points(data_, rank);
    add_ops(data_, rank);
    add_buffers(data_, rank);
    add_programs(data_, rank);
  }

  const report::PageBlob& blob(std::size_t i) const {
    const std::size_t in_head = head_.list().size();
    return i < in_head ? head_.list()[i] : data_.list()[i - in_head];
  }

  /// The document is made beside the blobs: it takes longer than any of them.
  void encode() {
    const std::size_t count = head_.list().size() + data_.list().size();
    encoded_.resize(count);
    run_parallel(count + 1, options_.threads, [&](std::size_t job) {
      if (job == 0) {
        make_document();
      } else {
        encoded_[job - 1] = report::encode_blob(blob(job - 1));
      }
    });
  }

  void make_document() {
    report::TextCatcher text;
    write_mem_json(trace_, profile_, text, {.tool_version = options_.tool_version, .list_limit = kListLimit});
    document_ = text.text();
  }

  std::string fit_document() const {
    report::TextCatcher text;
    fit::write_fit_json(*options_.fit, text, options_.tool_version);
    return std::string(text.text());
  }

  void write_blobs(Writer& out, const report::PageBlobs& blobs, std::size_t first) {
    for (std::size_t i = 0; i < blobs.list().size(); ++i) {
      report::write_page_block(out, "application/octet-stream", blobs.list()[i].id, encoded_[first + i]);
      encoded_[first + i] = {};
    }
  }

  const RuntimeTrace& trace_;
  const MemoryProfile& profile_;
  const MemPageOptions& options_;
  std::shared_ptr<const TableSource> source_;
  PageTables tables_;
  PageTexts texts_;
  std::vector<RankPoints> points_;
  report::PageBlobs head_;
  report::PageBlobs data_;
  std::vector<std::string> encoded_;  ///< of the head, then of the data
  std::string document_;
};

}  // namespace

void write_mem_page(const RuntimeTrace& trace, const MemoryProfile& profile, Writer& out,
                    const MemPageOptions& options) {
  PageWriter(trace, profile, options).write(out);
}

void write_mem_page(const Profile& profile, Writer& out, MemPageOptions options) {
  if (profile.recorded) options.absent.merge(recorded_absence(*profile.recorded));
  write_mem_page(profile.trace, profile.memory, out, options);
}

}  // namespace ttscope::mem
