import { useState } from "react";
import { lazyPart } from "../../lib/lazy-part.ts";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { LazyDialogs } from "../../ui/lazy-dialogs.tsx";
import { useAnalytics } from "./context.ts";
import { parameterOf, type List } from "./dimensions.ts";
import type { Sums } from "./queries.ts";
import { ValueRow } from "./value-row.tsx";

const ValuesDialog = lazyPart(() => import("./values-dialog.tsx").then(({ ValuesDialog }) => ValuesDialog));

const { cards, lists: listNames } = texts.analytics;

/** How many values a card shows. The others are in a dialog. */
const SHOWN_VALUES = 8;

/** The most frequent values of a list, each with its bar. */
export function ValueList({ list, sums }: { list: List; sums: Sums }) {
  const { nameOf } = useAnalytics();
  const [isOpen, setOpen] = useState(false);
  const all = sums[list] ?? [];
  const values = all.slice(0, SHOWN_VALUES);
  const name = parameterOf(list);
  if (values.length === 0) return <p className="grid min-h-24 flex-1 place-content-center text-soft">{cards.empty}</p>;
  return (
    <div className="flex min-w-0 flex-1 flex-col md:min-h-48">
      <ul className="grid flex-1 grid-cols-[minmax(0,1fr)] content-start gap-0.5">
        {values.map(({ value, clicks }) => (
          <ValueRow
            key={value}
            name={name}
            value={value}
            label={nameOf(name, value)}
            clicks={clicks}
            total={sums.total}
            most={values[0]?.clicks ?? clicks}
          />
        ))}
      </ul>
      {all.length > SHOWN_VALUES && (
        <Button kind="quiet" size="small" className="mt-2 self-start px-2! text-soft!" onClick={() => setOpen(true)}>
          {cards.allOf(listNames[list], all.length, (sums.others[list] ?? 0) > 0)}
        </Button>
      )}
      <LazyDialogs onFail={() => setOpen(false)}>
        {isOpen && <ValuesDialog list={list} sums={sums} onClose={() => setOpen(false)} />}
      </LazyDialogs>
    </div>
  );
}
