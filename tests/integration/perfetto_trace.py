"""Traces for Perfetto, decoded by protoc with the fields that they use, as Perfetto publishes their numbers."""
import re
import subprocess

PROTO = """
syntax = "proto2";
message Trace { repeated TracePacket packet = 1; }
message TracePacket {
  optional uint64 timestamp = 8;
  optional uint32 trusted_packet_sequence_id = 10;
  optional TrackEvent track_event = 11;
  optional InternedData interned_data = 12;
  optional uint32 sequence_flags = 13;
  optional TrackDescriptor track_descriptor = 60;
}
message TrackDescriptor {
  optional uint64 uuid = 1;
  optional string name = 2;
  optional ProcessDescriptor process = 3;
  optional uint64 parent_uuid = 5;
  optional CounterDescriptor counter = 8;
  optional uint32 child_ordering = 11;
  optional int32 sibling_order_rank = 12;
}
message ProcessDescriptor { optional int32 pid = 1; optional string process_name = 6; }
message CounterDescriptor { optional uint32 unit = 3; }
message InternedData { repeated EventName event_names = 2; repeated SourceLocation source_locations = 4; }
message EventName { optional uint64 iid = 1; optional string name = 2; }
message SourceLocation { optional uint64 iid = 1; optional string file_name = 2; optional string function_name = 3;
  optional uint32 line_number = 4; }
message DebugAnnotation { optional uint64 uint_value = 3; optional string string_value = 6; optional string name = 10; }
message TrackEvent {
  repeated DebugAnnotation debug_annotations = 4;
  optional uint32 type = 9;
  optional uint64 name_iid = 10;
  optional uint64 track_uuid = 11;
  optional string name = 23;
  optional uint64 source_location_iid = 34;
  optional double double_counter_value = 44;
  repeated fixed64 flow_ids = 47;
  repeated fixed64 terminating_flow_ids = 48;
}
"""

NAME = re.compile(r"^\s*(\w+) \{$")
FIELD = re.compile(r"^\s*(\w+): (.*)$")


class Node:
    """A message: each field is a list of what it holds."""

    def __init__(self):
        self.fields = {}

    def all(self, name):
        return self.fields.get(name, [])

    def has(self, name):
        return name in self.fields

    def one(self, name, otherwise=None):
        return self.fields[name][0] if name in self.fields else otherwise


def value_of(text):
    if text.startswith('"'):
        return text[1:-1].encode("ascii").decode("unicode_escape").encode("latin-1").decode()
    try:
        return int(text)
    except ValueError:
        return float(text)


def read_trace(path, folder):
    """The packets of a file. protoc fails where a file is not what the .proto says."""
    (folder / "trace.proto").write_text(PROTO)
    with open(path, "rb") as trace:
        text = subprocess.run(["protoc", "--decode=Trace", f"-I{folder}", str(folder / "trace.proto")], stdin=trace, capture_output=True, check=True).stdout.decode()
    root = Node()
    stack = [root]
    for line in text.splitlines():
        if match := NAME.match(line):
            stack.append(Node())
            stack[-2].fields.setdefault(match[1], []).append(stack[-1])
        elif match := FIELD.match(line):
            stack[-1].fields.setdefault(match[1], []).append(value_of(match[2]))
        else:
            stack.pop()
    return root.all("packet")
