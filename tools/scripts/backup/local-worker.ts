// On this machine no deployed Worker has the ClickLogs, so the temporary Worker has them itself.
export { ClickLog } from "../../../src/objects.ts";
export { default } from "./worker.ts";
