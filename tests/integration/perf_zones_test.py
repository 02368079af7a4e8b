#!/usr/bin/env python3
"""`ttscope perf --zones`: the table, zones.csv, JSON and markdown; logs without op ids (accumulate mode, dispatch cores alone)."""
import csv
import json
import os
import pathlib
import subprocess
import sys
import unittest

try:
    import jsonschema
except ImportError:
    jsonschema = None

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from program_case import BUILD, FAILED, OK, SOURCE, USAGE, ProgramCase  # noqa: E402

SHARED = os.environ.get("TTSCOPE_SHARED_DIR")
HEAD = ("ARCH: wormhole_b0, CHIP_FREQ[MHz]: 500, Max Compute Cores: 64\n"
        "PCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since reset], data, run host ID, trace id, "
        "trace id counter, zone name, type, source line, source file, meta data\n")


def zone(place, op, name, start, end):
    return [(place, start, op, name, "ZONE_START"), (place, end, op, name, "ZONE_END")]


def text(markers):
    """A log; markers of a place together and in order of time, as the runtime writes them."""
    lines = [f"{place},7,{time},0,{op},,,{name},{kind},12,/src/k.cc,\n" for place, time, op, name, kind in sorted(markers)]
    return HEAD + "".join(lines)


def launches(op_of, cores=2, count=10):
    """Launches of a kernel with a zone of its author in it."""
    markers = []
    for core in range(1, cores + 1):
        for launch in range(count):
            place, start, op = f"0,{core},1,BRISC", 1000 + launch * 2000, op_of(launch)
            markers += zone(place, op, "BRISC-FW", start, start + 1000)
            markers += zone(place, op, "BRISC-KERNEL", start + 100, start + 900)
            markers += zone(place, op, "READ TILES", start + 200, start + 500)
    return markers


def dispatch(count=6):
    markers = []
    for program in range(1, count + 1):
        start = 500 + program * 100
        markers.append(("0,9,9,BRISC", start, program << 10, f"CQ-DISPATCH:{program}:CQ_DISPATCH_CMD_WAIT", "ZONE_START"))
        markers.append(("0,9,9,BRISC", start + 30, 0, "CQ-DISPATCH", "ZONE_END"))
    return markers


class ZoneCase(ProgramCase):
    def write(self, content, name="run"):
        folder = self.folder / name
        (folder / ".logs").mkdir(parents=True)
        (folder / ".logs/profile_log_device.csv").write_text(content)
        return folder

    @staticmethod
    def zones(path):
        with open(path, newline="") as file:
            return {(row["RISC"], row["ZONE"]): row for row in csv.DictReader(file)}

    def document(self, *args):
        document = json.loads(self.check(OK, "perf", *args, "--json", "-").stdout)
        if jsonschema is not None:
            jsonschema.validate(document, json.loads((SOURCE / "docs/formats/perf.schema.json").read_text()))
        return document


class Zones(ZoneCase):
    def test_zones_stand_beside_the_report(self):
        folder = self.write(text(launches(lambda launch: (launch + 1) << 10)))
        done = self.check(OK, "perf", folder, "--zones", "-o", "out")
        self.assertTrue((self.folder / "out/ops_perf_results.csv").exists())
        zones = self.zones(self.folder / "out/zones.csv")
        read = zones["BRISC", "READ TILES"]
        self.assertEqual([read[key] for key in ("KIND", "COUNT", "CORES", "EXECUTIONS", "TOTAL [cycles]", "TOTAL [ns]")],
                         ["user", "20", "2", "10", "6000", "12000"])
        self.assertEqual(zones["BRISC", "BRISC-KERNEL"]["SELF [cycles]"], "10000")
        self.assertEqual(sum(int(row["SELF [cycles]"]) for row in zones.values()), int(zones["BRISC", "BRISC-FW"]["TOTAL [cycles]"]))
        self.assertAlmostEqual(sum(float(row["SELF [%]"]) for row in zones.values()), 100, 2)
        for words in ("READ TILES", "k.cc:12", "out/zones.csv"):
            self.assertIn(words, done.stdout)

    def test_nothing_of_zones_without_the_option(self):
        folder = self.write(text(launches(lambda launch: 1024)))
        self.assertNotIn("READ TILES", self.check(OK, "perf", folder, "-o", "out").stdout)
        self.assertFalse((self.folder / "out/zones.csv").exists())
        self.assertNotIn("zones", self.document(folder))

    def test_documents(self):
        folder = self.write(text(launches(lambda launch: (launch + 1) << 10)))
        zones = {zone["zone"]: zone for zone in self.document(folder, "--zones")["zones"]}
        self.assertEqual(zones["READ TILES"]["total_us"], 12)
        self.assertEqual(zones["BRISC-FW"]["self_cycles"], 4000)
        self.assertIn("| READ TILES | user |", self.check(OK, "perf", folder, "--zones", "--llm", "-").stdout)
        self.assertIn("READ TILES", self.check(OK, "perf", folder, "--zones", "--table").stdout)

    def test_documents_have_the_rows_of_the_declared_table(self):
        data = '0,1,1,BRISC,9,1300,77,1024,,,SIZE,TS_DATA,3,d.cc,\n'
        folder = self.write(text(launches(lambda launch: 1024)) + data)
        declared = json.loads(self.check(OK, "sql", folder, "select * from zones", "--json", "-").stdout)
        written = self.document(folder, "--zones")["zones"]
        for row in declared:
            del row["profile"]
        for zone in written:
            zone.pop("ops", None)
        self.assertEqual([list(row.items()) for row in written], [list(row.items()) for row in declared])

    def test_several_hosts(self):
        first = self.write(text(launches(lambda launch: 1024)), "one")
        second = self.write(text(launches(lambda launch: 1024)), "two")
        self.check(OK, "perf", first, second, "--zones", "-q", "-o", "out")
        self.assertEqual(len(list((self.folder / "out").glob("zones_*.csv"))), 2)
        self.assertEqual({zone["host"] for zone in self.document(first, second, "--zones")["zones"]}, {"one", "two"})

    def test_one_thread_and_many_write_the_same(self):
        folder = self.folder / "made"
        subprocess.run([BUILD / "ttscope-gen-device-log", "-o", folder / ".logs", "--rows", "30000", "--no-host"], check=True)
        for threads in ("1", "2", "7"):
            self.check(OK, "perf", folder, "--zones", "-q", "--threads", threads, "-o", threads)
        texts = {(self.folder / threads / "zones.csv").read_text() for threads in ("1", "2", "7")}
        self.assertEqual(len(texts), 1)

    def test_zones_need_a_device_log(self):
        self.write(text(launches(lambda launch: 1024)))
        self.check(OK, "perf", "run", "-q", "-o", "out")
        self.assertIn("finished report", self.check(USAGE, "perf", "out/ops_perf_results.csv", "--zones").stderr)

    def test_markers_without_a_partner_are_named(self):
        markers = launches(lambda launch: 1024, cores=1, count=1)
        folder = self.write(text([marker for marker in markers if marker[3:] != ("READ TILES", "ZONE_END")]))
        done = self.check(OK, "perf", folder, "--zones", "-o", "out")
        self.assertIn("start of READ TILES on device 0, core 1-1, BRISC", done.stdout)
        self.check(FAILED, "perf", folder, "--zones", "--strict", "-q", "-o", "out")

    @unittest.skipUnless(SHARED, "skipped: TTSCOPE_SHARED_DIR is not set, no real log here")
    def test_the_real_log_is_whole(self):
        log = pathlib.Path(SHARED) / "data/perf/device-log/wh_n300_dev3_3cores_4ops.current_header.csv"
        self.check(OK, "perf", self.write(log.read_text()), "--zones", "-q", "-o", "out")
        zones = self.zones(self.folder / "out/zones.csv")
        self.assertEqual(len(zones), 10)
        self.assertEqual(sum(int(row["COUNT"]) for row in zones.values()) * 2, len(log.read_text().splitlines()) - 2)
        self.assertEqual({row["UNMATCHED STARTS"] + row["UNMATCHED ENDS"] for row in zones.values()}, {"00"})


class LogsWithoutOps(ZoneCase):
    def test_accumulate_mode_gives_zones_unasked(self):
        for name, op in (("zero", 0), ("empty", "")):
            folder = self.write(text(launches(lambda launch, op=op: op) + dispatch()), name)
            done = self.check(OK, "perf", folder, "-o", f"out-{name}")
            self.assertIn("no op ids", done.stdout)
            self.assertNotIn("could not be read", done.stdout)
            self.assertIn("READ TILES", done.stdout)
            zones = self.zones(self.folder / f"out-{name}/zones.csv")
            self.assertEqual(zones["BRISC", "CQ-DISPATCH:CQ_DISPATCH_CMD_WAIT"]["COUNT"], "6")
            self.assertEqual(zones["BRISC", "READ TILES"]["EXECUTIONS"], "0")
            self.assertFalse((self.folder / f"out-{name}/ops_perf_results.csv").exists())

    def test_dispatch_cores_alone(self):
        data = "0,9,9,BRISC,8,610,1,1024,,,process_cmd_d,TS_DATA,3,d.cc,{\"workers_runtime_id\":1}\n"
        folder = self.write(text(dispatch()) + data)
        self.assertIn("no op ids", self.check(OK, "perf", folder, "-o", "out").stdout)
        self.assertEqual(self.zones(self.folder / "out/zones.csv")["BRISC", "CQ-DISPATCH:CQ_DISPATCH_CMD_WAIT"]["TOTAL [cycles]"], "180")

    def test_documents_of_zones_alone(self):
        folder = self.write(text(launches(lambda launch: 0)))
        document = self.document(folder)
        self.assertEqual(document["ops"], [])
        self.assertIn("READ TILES", {zone["zone"] for zone in document["zones"]})
        self.assertIn("no op ids", " ".join(document["trust"]["notes"]))
        for option in ("--table", "--llm=-"):
            done = self.check(OK, "perf", folder, option)
            self.assertIn("no op ids", done.stdout)
            self.assertIn("READ TILES", done.stdout)

    def test_compat_is_as_it_was(self):
        folder = self.write(text(launches(lambda launch: 0)))
        self.check(OK, "perf", folder, "--compat", "-q", "-o", "out")
        self.assertEqual([path.name for path in (self.folder / "out").glob("*.csv") if path.name == "zones.csv"], [])


if __name__ == "__main__":
    unittest.main()
