// What an isolate of the redirect Worker does with its clicks. Loaded as often as the simulation has isolates: each copy has its
// own buffer and its own memory of overloaded ClickLogs.

export { bufferClick } from "../../src/clicks/capture/buffer.ts";

export default {};
