// How lists on the terminal show a report.
#include "cli/commands/library.h"

#include <gtest/gtest.h>

#include "cli/commands/serve.h"

namespace ttscope::cli {
namespace {

std::string size_of(std::uint64_t size_bytes) {
  serve::Report report;
  report.size_bytes = size_bytes;
  return report_size_text(report);
}

TEST(ReportFacts, SizesHaveOneDecimalSoThatTheyStandBelowEachOther) {
  EXPECT_EQ(size_of(0), "0 B");
  EXPECT_EQ(size_of(1023), "1023 B");
  EXPECT_EQ(size_of(1024), "1.0 KB");
  EXPECT_EQ(size_of(241766), "236.1 KB");
  EXPECT_EQ(size_of(5 << 20), "5.0 MB");
  EXPECT_EQ(size_of(std::uint64_t{1} << 40), "1024.0 GB") << "the largest unit";
}

TEST(ReportFacts, WhatIsNotKnownIsADash) {
  const serve::Report report;
  EXPECT_EQ(report_outcome_text(report), "-");
  EXPECT_EQ(report_fit_text(report), "-");
  EXPECT_EQ(report_peak_text(report), "-");
}

TEST(ReportFacts, OutcomesAreWordsAndPeaksHaveTheirShare) {
  serve::Report report;
  report.summary.outcome = "out_of_memory";
  report.summary.fit = "no";
  report.summary.dram = {5 << 20, 0, 12};
  EXPECT_EQ(report_outcome_text(report), "out of memory");
  EXPECT_EQ(report_fit_text(report), "no");
  EXPECT_EQ(report_peak_text(report), "5.0 MB") << "of an unknown capacity";
  report.summary.dram.capacity_bytes_per_bank = 500 << 20;
  EXPECT_EQ(report_peak_text(report), "5.0 MB   1%");
}

TEST(ServeAddress, IsOneThatABrowserCanReach) {
  serve::ListenSocket socket;
  socket.address = "127.0.0.1";
  socket.port = 8000;
  EXPECT_EQ(page_address(socket, "T", "report/x"), "http://127.0.0.1:8000/T/report/x");
  socket.address = "::1";
  EXPECT_EQ(page_address(socket, "T", ""), "http://[::1]:8000/T/");
  socket.is_any = true;
  socket.address = "::";
  EXPECT_EQ(page_address(socket, "T", ""), "http://[::1]:8000/T/") << "every address is none to go to";
  socket.address = "0.0.0.0";
  EXPECT_EQ(page_address(socket, "T", ""), "http://127.0.0.1:8000/T/");
}

TEST(ServeAddress, TheTunnelGoesTheWayThatTheUserCame) {
  serve::ListenSocket socket;
  socket.address = "127.0.0.1";
  socket.port = 8000;
  ASSERT_EQ(setenv("SSH_CONNECTION", "10.0.0.9 50000 10.0.0.1 2222", 1), 0);
  const std::string command = tunnel_command(socket);
  EXPECT_EQ(command.find("ssh -N -L 8000:127.0.0.1:8000 -p 2222 "), 0u) << command;
  EXPECT_TRUE(command.ends_with("10.0.0.1")) << command;
  ASSERT_EQ(setenv("SSH_CONNECTION", "10.0.0.9 50000 $(reboot) 22", 1), 0);
  EXPECT_EQ(tunnel_command(socket).find('$'), std::string::npos) << "nothing for a shell to run";
  ASSERT_EQ(unsetenv("SSH_CONNECTION"), 0);
}

}  // namespace
}  // namespace ttscope::cli
