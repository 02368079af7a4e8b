import { mount, readJson } from "kit/mount";
import { App } from "./app";
import type { Document } from "./model";

const data = readJson<Document>("ttscope-phases");
mount(data && data.configurations.length > 0 ? <App document={data} /> : "This page holds no report. `ttscope phases LOG --html FILE` writes one.");
