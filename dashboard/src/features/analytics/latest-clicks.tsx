import { Radio } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { cx } from "../../lib/class-names.ts";
import { formatMoment, formatRelative } from "../../lib/format.ts";
import { useShortcut } from "../../lib/shortcuts.ts";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/layout.tsx";
import { useAnalytics } from "./context.ts";
import type { FilterName } from "./dimensions.ts";
import type { LiveClicks, LiveState } from "./live.ts";
import type { ClickRecord } from "./live-socket.ts";

const { cards, live: words } = texts.analytics;

/** The newest single clicks; in live mode with those that arrive. */
export function LatestClicks({
  recent,
  live,
  onLive,
}: {
  recent: readonly ClickRecord[];
  live: LiveClicks;
  onLive: (isOn: boolean) => void;
}) {
  const { source } = useAnalytics();
  const now = useNow();
  const known = new Set(live.clicks.map(({ id }) => id));
  const clicks = [...live.clicks, ...recent.filter(({ id }) => !known.has(id))];
  return (
    <Card className="min-w-0 p-4">
      <header className="mb-2 flex flex-wrap items-center gap-3 px-2">
        <h2 className="py-1 font-bold">{cards.latest}</h2>
        <LiveSwitch state={live.state} onLive={onLive} />
        <span role="status" className="flex flex-1 flex-wrap justify-between gap-x-3 text-sm text-soft">
          <span>{words.states[live.state]}</span>
          <span className="tabular">{live.total > 0 && words.announced(live.total)}</span>
        </span>
      </header>
      {clicks.length === 0 ? (
        <p className="py-10 text-center text-soft">{words.empty}</p>
      ) : (
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- so that the keyboard can scroll it
        <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={cards.latest}>
          <table className="w-full min-w-[44rem] text-left text-sm">
            <thead className="text-soft">
              <tr>
                {[
                  words.when,
                  ...(source.kind === "link" ? [] : [words.link]),
                  words.where,
                  words.from,
                  words.device,
                  words.way,
                ].map((name) => (
                  <th key={name} scope="col" className="px-2 py-1 font-semibold">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {clicks.map((click) => (
                <ClickRow key={click.id} click={click} now={now} isNew={known.has(click.id)} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  );
}

/** Begins and ends the stream. Its key shows the stream, which may be far below. */
function LiveSwitch({ state, onLive }: { state: LiveState; onLive: (isOn: boolean) => void }) {
  const button = useRef<HTMLButtonElement>(null);
  const isOn = state !== "off";
  useShortcut("v", { label: isOn ? words.stop : words.start, group: texts.analytics.group }, () => {
    onLive(!isOn);
    if (!isOn) button.current?.scrollIntoView({ block: "center" });
  });
  return (
    <Button ref={button} kind="quiet" size="small" aria-pressed={isOn} onClick={() => onLive(!isOn)}>
      <Radio
        size={16}
        aria-hidden
        className={cx(state === "open" && "animate-pulse-soft text-beak", isOn && state !== "open" && "text-warn")}
      />
      {words.label}
    </Button>
  );
}

function ClickRow({ click, now, isNew }: { click: ClickRecord; now: number; isNew: boolean }) {
  const { source, nameOf } = useAnalytics();
  const { linkId, clickedAt, geo, device, browser, os, trigger, target } = click;
  const name = (parameter: FilterName, value: string | null) => nameOf(parameter, value ?? "unknown");
  const place = [geo.city, geo.country === null ? null : name("country", geo.country)].filter((each) => each !== null);
  return (
    <tr className={isNew ? "animate-rise border-t border-line bg-good-wash/50" : "border-t border-line"}>
      <td className="px-2 py-1.5 whitespace-nowrap" title={formatMoment(clickedAt)}>
        {formatRelative(Math.min(clickedAt, now), now)}
      </td>
      {source.kind !== "link" && <td className="max-w-60 truncate px-2">{nameOf("linkIds", linkId)}</td>}
      <td className="max-w-60 truncate px-2">{place.length === 0 ? name("country", null) : place.join(", ")}</td>
      <td className="max-w-60 truncate px-2">{nameOf("source", click.source ?? "direct")}</td>
      <td className="max-w-72 truncate px-2">{[name("device", device), browser, os].join(" · ")}</td>
      <td className="px-2 whitespace-nowrap">
        {name("trigger", trigger)}
        {target.kind !== "default" && ` · ${name("target", target.ruleId ?? target.kind)}`}
      </td>
    </tr>
  );
}

const TICK_MS = 10_000;

/** The current time, for "5 seconds ago". */
function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
