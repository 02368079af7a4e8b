import { mount, readJson } from "kit/mount";
import { App } from "./app";
import type { GraphDocument } from "./model";

const data = readJson<GraphDocument>("ttscope-graph");
mount(data && data.segments.length > 0 ? <App document={data} /> : "This page holds no capture. `ttscope graph FILE --html PAGE` writes one.");
