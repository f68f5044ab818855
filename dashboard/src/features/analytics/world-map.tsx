import { scaleSqrt } from "d3-scale";
import { useState, type PointerEvent } from "react";
import { formatCountry } from "../../lib/format.ts";
import { texts } from "../../texts/index.ts";
import { useAnalytics } from "./context.ts";
import { COUNTRIES, MAP_HEIGHT, MAP_WIDTH } from "./countries.ts";
import type { Sums } from "./queries.ts";

const { map } = texts.analytics;

/** The countries in the strength of their clicks. The list beside it does the same by keyboard. */
export function WorldMap({ sums }: { sums: Sums }) {
  const { toggle } = useAnalytics();
  const [pointed, setPointed] = useState<{ code: string; x: number; y: number } | null>(null);
  const clicks = new Map(sums.countries.map((each) => [each.value, each.clicks]));
  const strength = scaleSqrt([0, Math.max(1, ...clicks.values())], [0.18, 1]);
  return (
    <div className="relative">
      <svg
        viewBox={`0 0 ${MAP_WIDTH} ${MAP_HEIGHT}`}
        role="img"
        aria-label={map.label}
        className="h-auto w-full"
        onPointerLeave={() => setPointed(null)}
      >
        {COUNTRIES.map(({ code, path }, index) => {
          const count = (code !== null && clicks.get(code)) || 0;
          return (
            <path
              key={index}
              d={path}
              className={
                count > 0 ? "cursor-pointer fill-accent stroke-surface hover:stroke-ink" : "fill-sunken stroke-surface"
              }
              strokeWidth={0.6}
              {...(count > 0 && { fillOpacity: strength(count) })}
              onPointerMove={(event) => code !== null && setPointed({ code, ...positionOf(event) })}
              onClick={(event) => code !== null && count > 0 && toggle("country", code, event.altKey)}
            />
          );
        })}
      </svg>
      {pointed !== null && (
        <p
          aria-hidden
          className="pointer-events-none absolute z-10 -translate-x-1/2 -translate-y-full rounded-control bg-raised px-2.5 py-1 text-sm whitespace-nowrap shadow-float"
          style={{ left: pointed.x, top: pointed.y - 10 }}
        >
          {map.value(formatCountry(pointed.code), clicks.get(pointed.code) ?? 0)}
        </p>
      )}
    </div>
  );
}

function positionOf(event: PointerEvent<SVGPathElement>): { x: number; y: number } {
  const box = event.currentTarget.ownerSVGElement?.getBoundingClientRect();
  return { x: event.clientX - (box?.left ?? 0), y: event.clientY - (box?.top ?? 0) };
}
