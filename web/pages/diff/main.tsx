import { mount, readJson } from "kit/mount";
import { App } from "./app";
import type { Document } from "./model";

const data = readJson<Document>("ttscope-diff");
mount(data && data.reports.length > 0 ? <App document={data} /> : "This page holds no report. `ttscope diff BEFORE AFTER --html FILE` writes one.");
