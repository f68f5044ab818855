import { useEffect, useState } from "react";
import { urlForAccount } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { watchClicks, type ClickRecord, type LiveState } from "./live-socket.ts";
import { CLICKS } from "./queries.ts";
import type { Source } from "./source.ts";
import type { View } from "./view.ts";

export type { LiveState } from "./live-socket.ts";

/** How many clicks the stream keeps. */
const KEPT_CLICKS = 50;
/** How often new clicks refresh the totals. */
const REFRESH_MS = 5_000;

export interface LiveClicks {
  state: LiveState;
  /** The newest first. */
  clicks: readonly ClickRecord[];
  /** All clicks since the stream began. */
  total: number;
}

const NONE = { clicks: [], total: 0 };

/** New clicks of a view, while it is on. They also refresh the totals. */
export function useLiveClicks(source: Source, view: View, isOn: boolean): LiveClicks {
  const [state, setState] = useState<LiveState>("off");
  const [stream, setStream] = useState<Omit<LiveClicks, "state">>(NONE);
  const links = source.kind === "link" ? { linkIds: [source.link.id] } : {};
  const path = urlForAccount("/api/clicks/live", { ...view.filters, ...links });
  useEffect(() => {
    if (!isOn) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refresh = () => {
      timer = undefined;
      void queryClient.invalidateQueries({ queryKey: CLICKS });
    };
    const stop = watchClicks(new URL(path, location.href.replace(/^http/, "ws")).href, {
      onState: setState,
      onClicks: (clicks, total) => {
        setStream((before) => ({
          clicks: [...clicks, ...before.clicks].slice(0, KEPT_CLICKS),
          total: before.total + total,
        }));
        timer ??= setTimeout(refresh, REFRESH_MS);
      },
    });
    return () => {
      clearTimeout(timer);
      stop();
      setStream(NONE);
    };
  }, [path, isOn]);
  return { state: isOn ? state : "off", ...(isOn ? stream : NONE) };
}
