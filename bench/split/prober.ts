import { startProbe } from "../worst-calls/measure.ts";

// Requests the redirect at two addresses in turn, in a process of its own, so that it can be pinned to a core. It answers each
// message with the samples of both.

const probes = await Promise.all(process.argv.slice(2).map((address) => startProbe(new URL(address))));
process.on("message", () => {
  void Promise.all(probes.map((probe) => probe.take())).then((samples) => process.send?.(samples));
});
process.send?.("ready");
