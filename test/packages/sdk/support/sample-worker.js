import { Tern } from "@tern/sdk";
import { useSdk } from "./sample.js";

/** A Worker has the variables as bindings. */
export default {
  async fetch(_request, { TERN_API_KEY, TERN_BASE_URL }) {
    const lines = [];
    await useSdk(new Tern({ apiKey: TERN_API_KEY, baseUrl: TERN_BASE_URL }), (line) => lines.push(line));
    return new Response(lines.join("\n"));
  },
};
