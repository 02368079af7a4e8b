// What the build makes of JSX: shorter than the automatic form.
export { createElement as h, Fragment } from "preact";
