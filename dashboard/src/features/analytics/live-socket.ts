import type { Clicks } from "../../api/types.ts";

// The WebSocket with new clicks, opened again when it ends.

export type ClickRecord = Clicks["recent"][number];

export type LiveState = "off" | "connecting" | "open" | "waiting" | "refused" | "paused";

/** The service closes a WebSocket with this code when the right to read the clicks has ended. */
const NOT_ALLOWED = 4001;
/** So that pages that were opened together do not connect together again. */
const JITTER_MS = 3_000;
const MAX_WAIT_MS = 60_000;
/** After this many failures in a row, the person is told. It is still tried. */
const MANY_FAILURES = 3;

interface Listener {
  onState: (state: LiveState) => void;
  onClicks: (clicks: readonly ClickRecord[], total: number) => void;
}

/** Opens the WebSocket whenever the page is visible. Returns what ends it. */
export function watchClicks(url: string, { onState, onClicks }: Listener): () => void {
  let socket: WebSocket | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;

  function open(): void {
    onState(failures === 0 ? "connecting" : "waiting");
    const opened = new WebSocket(url);
    socket = opened;
    opened.addEventListener("message", ({ data }) => {
      const message = JSON.parse(String(data)) as { expiresAt: number } | { clicks: ClickRecord[]; total: number };
      failures = 0;
      onState("open");
      if ("clicks" in message) onClicks(message.clicks, message.total);
    });
    opened.addEventListener("close", ({ code }) => {
      if (socket !== opened) return;
      socket = null;
      if (code === NOT_ALLOWED) return onState("refused");
      failures++;
      onState(failures > MANY_FAILURES ? "refused" : "waiting");
      const wait = failures === 1 ? 0 : Math.min(MAX_WAIT_MS, 1_000 * 2 ** failures);
      timer = setTimeout(open, wait + Math.random() * JITTER_MS);
      return undefined;
    });
  }

  function close(): void {
    clearTimeout(timer);
    const closed = socket;
    socket = null;
    closed?.close();
  }

  function followVisibility(): void {
    close();
    if (document.hidden) return onState("paused");
    failures = 0;
    return open();
  }

  followVisibility();
  document.addEventListener("visibilitychange", followVisibility);
  return () => {
    document.removeEventListener("visibilitychange", followVisibility);
    close();
    onState("off");
  };
}
