// On this machine no deployed Worker has the ClickLogs, so the temporary Worker has them itself.
export { ClickLog } from "../../src/clicks/click-log/object.ts";
export { default } from "./worker.ts";
