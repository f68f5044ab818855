import { useState } from "react";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { InputField } from "../../ui/field.tsx";
import { Skeleton } from "../../ui/layout.tsx";
import { ErrorNotice } from "../../ui/notice.tsx";
import { useAnalytics } from "./context.ts";
import { parameterOf, type List } from "./dimensions.ts";
import { useValues, type Sums } from "./queries.ts";
import { ValueRow } from "./value-row.tsx";

const { cards, lists } = texts.analytics;

/** All values of a list, with a search and further pages. */
export function ValuesDialog({ list, sums, onClose }: { list: List; sums: Sums; onClose: () => void }) {
  const { source, view, nameOf } = useAnalytics();
  const [search, setSearch] = useState("");
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useValues(source, view, list);
  const pages = data?.pages ?? [sums];
  const name = parameterOf(list);
  const values = pages
    .flatMap((page) => page[list] ?? [])
    .map(({ value, clicks }) => ({ value, clicks, label: nameOf(name, value) }));
  const wanted = search.trim().toLowerCase();
  const found = values.filter(({ label, value }) => `${label} ${value}`.toLowerCase().includes(wanted));
  const others = pages.at(-1)?.others[list] ?? 0;
  return (
    <Dialog
      onClose={onClose}
      title={cards.all(lists[list])}
      description={others > 0 ? cards.others(others) : undefined}
      footer={
        hasNextPage && (
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {cards.load}
          </Button>
        )
      }
    >
      <InputField
        label={cards.search}
        hideLabel
        className="mb-3"
        type="search"
        autoFocus
        placeholder={cards.search}
        value={search}
        onValue={setSearch}
      />
      {error !== null && <ErrorNotice error={error} onRetry={() => void fetchNextPage()} className="mb-3" />}
      {found.length === 0 && <p className="py-10 text-center text-soft">{cards.nothingFound}</p>}
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-0.5">
        {found.map(({ value, clicks, label }) => (
          <ValueRow
            key={value}
            name={name}
            value={value}
            label={label}
            clicks={clicks}
            total={sums.total}
            most={values[0]?.clicks ?? clicks}
          />
        ))}
        {isFetchingNextPage && <Skeleton className="h-8" />}
      </ul>
    </Dialog>
  );
}
