// Prints new clicks as they happen. Needs Node.js 22 or newer:
// API=https://go.example KEY=svc_sk_live_… node examples/clicks/live.js "?tag=sale"

const { API = "", KEY } = process.env;
const [, , query = ""] = process.argv;
const url = `${API.replace(/^http/, "ws")}/api/clicks/live${query}`;

const EXPIRED = 4000;
const MAY_NOT_WATCH = 4001;
/** The next WebSocket is opened a random part of this time before the end of the last one, so that not all clients come at once. */
const JITTER_MS = 30_000;
/** For computers whose clock is wrong. */
const SHORTEST_MS = 60_000;
const LONGEST_PAUSE_MS = 60_000;

function watch(failures = 0) {
  const socket = new WebSocket(url, { headers: { Authorization: `Bearer ${KEY}` } });
  let isOpen = false;
  let isReplaced = false;
  socket.addEventListener("message", ({ data }) => {
    const { expiresAt, clicks = [], total = 0 } = JSON.parse(data);
    for (const { clickedAt, geo, browser, target } of clicks.toReversed())
      console.log(new Date(clickedAt).toISOString(), geo.country ?? "??", browser, target.url);
    if (total > clicks.length) console.log(`and ${total - clicks.length} more`);
    if (expiresAt === undefined) return;
    isOpen = true;
    const remaining = expiresAt - Date.now() - Math.random() * JITTER_MS;
    setTimeout(
      () => {
        if (socket.readyState !== WebSocket.OPEN) return;
        isReplaced = true;
        socket.close();
        watch();
      },
      Math.max(remaining, SHORTEST_MS),
    ).unref();
  });
  socket.addEventListener("close", ({ code, reason }) => {
    if (isReplaced) return;
    if (code === MAY_NOT_WATCH) return console.error(reason);
    if (code !== EXPIRED) console.error(`closed: ${code} ${reason}`);
    const tries = isOpen ? 0 : failures + 1;
    setTimeout(() => watch(tries), Math.random() * Math.min(1_000 * 2 ** tries, LONGEST_PAUSE_MS));
  });
}

watch();
