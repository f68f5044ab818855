// The internet of the service: a list file of a million hosts, whatever is asked for.

const ENTRIES = 1_000_000;
const HOSTS_PER_CHUNK = 1_000;

/** Made once, so that a request costs no more than its bytes. */
let chunks;

export default {
  fetch() {
    chunks ??= makeChunks();
    const rest = chunks.values();
    const body = new ReadableStream({
      pull(controller) {
        const { value, done } = rest.next();
        if (done) controller.close();
        // A copy: the reader may take the memory.
        else controller.enqueue(value.slice());
      },
    });
    return new Response(body);
  },
};

function makeChunks() {
  const encoder = new TextEncoder();
  return Array.from({ length: ENTRIES / HOSTS_PER_CHUNK }, (_, chunk) => {
    const lines = Array.from(
      { length: HOSTS_PER_CHUNK },
      (__, n) => `host-${chunk * HOSTS_PER_CHUNK + n}.bad.example.com\n`,
    );
    return encoder.encode(lines.join(""));
  });
}
