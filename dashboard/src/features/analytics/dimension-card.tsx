import { Download } from "lucide-react";
import { useState } from "react";
import { texts } from "../../texts/index.ts";
import { IconButton } from "../../ui/button.tsx";
import { Card } from "../../ui/layout.tsx";
import { useAnalytics } from "./context.ts";
import { downloadCsv } from "./csv.ts";
import { parameterOf, type List } from "./dimensions.ts";
import { ListTabs } from "./list-tabs.tsx";
import type { Sums } from "./queries.ts";
import { ValueList } from "./value-list.tsx";

const { cards, export: columns } = texts.analytics;

/** The most frequent values of one or several lists. One list is shown at a time. */
export function DimensionCard({
  title,
  lists,
  sums,
}: {
  title: string;
  lists: readonly [List, ...List[]];
  sums: Sums;
}) {
  const [shown, setShown] = useState<List>(lists[0]);
  return (
    <Card className="flex min-w-0 flex-col p-4">
      <CardHeader title={title} lists={lists} shown={shown} onShow={setShown} sums={sums} />
      <ValueList list={shown} sums={sums} />
    </Card>
  );
}

/** The heading of a card, its lists, and the file of the one that is shown. */
export function CardHeader({
  title,
  lists,
  shown,
  onShow,
  sums,
}: {
  title: string;
  lists: readonly List[];
  shown: List;
  onShow: (list: List) => void;
  sums: Sums;
}) {
  const { nameOf } = useAnalytics();
  const values = sums[shown] ?? [];
  const download = () =>
    downloadCsv(`clicks-${shown}.csv`, [
      [columns.value, columns.name, columns.clicks],
      ...values.map(({ value, clicks }) => [value, nameOf(parameterOf(shown), value), String(clicks)]),
    ]);
  return (
    <header className="mb-3 flex items-center gap-2">
      <h2 className={lists.length > 1 ? "sr-only" : "flex-1 px-2 py-1 font-bold"}>{title}</h2>
      {lists.length > 1 && <ListTabs title={title} lists={lists} shown={shown} onShow={onShow} />}
      <IconButton
        label={cards.csv(title)}
        icon={<Download size={16} aria-hidden className="text-soft" />}
        size="small"
        disabled={values.length === 0}
        onClick={download}
      />
    </header>
  );
}
