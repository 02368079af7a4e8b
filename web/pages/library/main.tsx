import { mount } from "kit/mount";
import { App } from "./app";

mount(<App />);
