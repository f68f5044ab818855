import type { Import } from "#dashboard/api/types.ts";
import { cx } from "#dashboard/lib/class-names.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Badge, Section } from "#dashboard/ui/layout.tsx";
import { Notice } from "#dashboard/ui/notice.tsx";
import { effectOf, type Effect } from "./problem-effects.ts";

const BADGES = {
  out: "bad",
  skipped: "warn",
  renamed: "accent",
  disabled: "accent",
  moved: "accent",
  changed: "neutral",
  created: "neutral",
} as const satisfies Record<Effect, string>;

const ORDER = Object.keys(BADGES);

/** What will not be imported as it is, the worst first. */
export function Problems({ current, isChecked }: { current: Import; isChecked: boolean }) {
  const own = texts.importing.problems;
  const lead = texts.importing.preview.lead(current.rows);
  const problems = current.problems
    .map((problem) => ({ ...problem, effect: effectOf(problem.kind, current) }))
    .sort((one, other) => ORDER.indexOf(one.effect) - ORDER.indexOf(other.effect) || other.count - one.count);
  if (problems.length === 0) {
    return (
      <Notice kind="good" title={own.none} className={cx("mb-6", !isChecked && "animate-pulse-soft")}>
        <p>{lead}</p>
      </Notice>
    );
  }
  return (
    <Section title={own.title} lead={`${lead} ${own.lead}`}>
      <ul aria-busy={!isChecked} className={cx("divide-y divide-line", !isChecked && "animate-pulse-soft")}>
        {problems.map(({ kind, count, line, example, effect }) => (
          <li
            key={kind}
            className="grid gap-x-4 gap-y-1 py-2.5 sm:grid-cols-[11rem_minmax(0,1fr)_auto] sm:items-baseline"
          >
            <span>
              <Badge kind={BADGES[effect]}>{own.effects[effect]}</Badge>
            </span>
            <p className="min-w-0">
              {own.kinds[kind]}
              <span className="block text-sm break-words text-soft">
                {own.first(line, count)}
                {example !== "" && (
                  <>
                    {": "}
                    <code className="font-mono break-all">{example}</code>
                  </>
                )}
              </span>
            </p>
            <span className="font-semibold whitespace-nowrap tabular">{own.rows(count)}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
