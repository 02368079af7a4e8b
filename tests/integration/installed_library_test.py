"""A separate project finds the installed library, and the original document's C++ works with it."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from program_case import BUILD, SOURCE  # noqa: E402
from seed_document import snippets  # noqa: E402

PROJECT = """cmake_minimum_required(VERSION 3.25)
project(separate LANGUAGES CXX)
find_package(ttscope 0.1 REQUIRED)
add_executable(separate main.cc)
target_link_libraries(separate PRIVATE ttscope::ttscope)
"""
MAIN = """#include <ttscope/memory_usage_tracker.h>
#include <ttscope/modules.h>
#include <ttscope/ops.h>
using ttscope::RunMode;
%s
"""
LOOP = """
  auto x = ttscope::train::make_tensor(
      ttscope::sim::full(ttscope::sim::Device(ttscope::sim::DeviceSpec::n150()), {.shape = {1, 1, 32, 32}, .memory = {}}));
  auto loss = ttscope::train::mean(x);
  auto memory_snapshot = [](const char* name) { ttscope::MemoryUsageTracker::snapshot(name); };
"""


def with_our_names(code):
    code = code.replace('#include "ttml/utils/memory_utils.hpp"\n', "")
    for namespace in ("ttml::utils::", "ttnn::", "tt::tt_metal::"):
        code = code.replace(namespace, "ttscope::")
    return code


class InstalledLibrary(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.prefix = cls.folder / "prefix"
        cls.call("cmake", "--install", str(BUILD), "--prefix", str(cls.prefix), "--component", "library")

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @classmethod
    def call(cls, *command, codes=(0,)):
        done = subprocess.run(command, capture_output=True, text=True, timeout=500)
        if done.returncode not in codes:
            raise AssertionError(f"{command}: {done.returncode}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
        return done.stdout

    def build(self, source):
        self.call("cmake", "-S", str(source), "-B", str(source / "build"), f"-DCMAKE_PREFIX_PATH={self.prefix}")
        self.call("cmake", "--build", str(source / "build"))
        return source / "build"

    def run_program(self, name, body, target="ttscope::ttscope", main=MAIN):
        source = self.folder / name
        source.mkdir()
        (source / "CMakeLists.txt").write_text(PROJECT.replace("ttscope::ttscope", target))
        (source / "main.cc").write_text(main % body)
        return self.call(str(self.build(source) / "separate"))

    def test_a_separate_project(self):
        printed = self.run_program("own", """int main() {
          auto guard = ttscope::MemoryUsageTracker::begin_capture(RunMode::NO_DISPATCH);
          const ttscope::sim::Device device(ttscope::sim::DeviceSpec::named("p150"));
          const auto tensor = ttscope::sim::empty(device, {.shape = {1, 1, 1024, 1024}, .memory = {}});
          ttscope::MemoryUsageTracker::end_capture("ALL");
          ttscope::MemoryUsageTracker::print_memory_usage();
        }""")
        self.assertIn("--- ALL ---\n  DRAM: Segment Peak 2.00 MB, Allocations 2.00 MB,", printed)

    def test_the_examples_are_such_a_project(self):
        source = self.folder / "training"
        shutil.copytree(SOURCE / "examples" / "training", source)
        built = self.build(source)
        printed = self.call(str(built / "nano_gpt"), "--track_memory", "--batch", "4")
        self.assertIn("--- FIRST_ITERATION_COMPLETE ---", printed)
        if shutil.which("riscv64-unknown-elf-g++"):
            self.runs_its_ops_on_chips(built / "nano_gpt")

    def runs_its_ops_on_chips(self, program):
        profiled = dict(os.environ, TT_METAL_DEVICE_PROFILER="1", TT_METAL_PROFILER_DIR=str(self.folder), TTSCOPE_CHIP_CACHE=str(self.folder / "chip"))
        subprocess.run([program, "--blocks", "1", "--steps", "1"], env=profiled, check=True, capture_output=True, timeout=500)
        self.assertIn("COMPUTE-TILES", (self.folder / ".logs" / "profile_log_device.csv").read_text())

    def test_the_utilities_of_captures(self):
        capture = SOURCE / "examples" / "sample_graph.json"
        printed = self.run_program("utilities", f"""int main() {{
          const auto trace = ttscope::graph_utils::Trace::load("{capture}");
          std::printf("%zu %lld\\n", ttscope::graph_utils::extract_calltrace(trace).size(),
                      static_cast<long long>(ttscope::graph_utils::extract_dram_usage(trace).peak));
          try {{
            ttscope::graph_utils::Trace::parse("nonsense");
          }} catch (const std::runtime_error&) {{
            std::puts("told");
          }}
        }}""", main="#include <ttscope/graph_utils.h>\n#include <cstdio>\n#include <stdexcept>\n%s")
        self.assertRegex(printed, r"^\d+ \d+\ntold\n$")

    def test_the_snippets_run_unchanged_where_it_is_asked_for(self):
        include = '#include "ttml/utils/memory_utils.hpp"\n'
        blocks = [block.replace(include, "") for block in snippets("cpp")]
        if not blocks:
            self.skipTest("the original document is not here")
        functions = "\n".join(f"void block_{i}() {{{LOOP}\n{block}\n  ttml::utils::MemoryUsageTracker::clear();\n}}"
                              for i, block in enumerate(blocks))
        calls = " ".join(f"block_{i}();" for i in range(len(blocks)))
        main = include + "#include <ttscope/modules.h>\n#include <ttscope/ops.h>\nusing RunMode = tt::tt_metal::IGraphProcessor::RunMode;\n%s"
        printed = self.run_program("unchanged", f"{functions}\nint main() {{ {calls} }}", "ttscope::ttml_names", main)
        self.assertIn("--- ITERATION_COMPLETE ---", printed)
        self.assertIn("--- FIRST_ITERATION_COMPLETE ---", printed)

    def test_the_snippets_of_the_original_document(self):
        blocks = [with_our_names(block) for block in snippets("cpp")]
        if not blocks:
            self.skipTest("the original document is not here")
        self.assertEqual(len(blocks), 3)
        functions = "\n".join(f"void block_{i}() {{{LOOP}\n{block}\n  ttscope::MemoryUsageTracker::clear();\n}}"
                              for i, block in enumerate(blocks))
        calls = " ".join(f"block_{i}();" for i in range(len(blocks)))
        printed = self.run_program("snippets", f"{functions}\nint main() {{ {calls} }}")
        names = re.findall(r"^--- (\w+) ---$", printed, re.M)
        phases = ["MODEL_CREATION", "OPTIMIZER_CREATION", "FORWARD_PASS", "BACKWARD_PASS"]
        self.assertEqual(names, phases + ["ITERATION_COMPLETE"] + phases + ["FIRST_ITERATION_COMPLETE"])


if not (BUILD / "libttscope.so").exists():
    print("skipped: the library is not built")
    sys.exit(77)
if __name__ == "__main__":
    os.environ.pop("LD_LIBRARY_PATH", None)
    unittest.main()
