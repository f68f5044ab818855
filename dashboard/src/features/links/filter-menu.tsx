import { ListFilter } from "lucide-react";
import { Suspense, useState } from "react";
import { lazyPart } from "../../lib/lazy-part.ts";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { LazyDialogs } from "../../ui/lazy-dialogs.tsx";
import { Skeleton } from "../../ui/layout.tsx";
import { Popover } from "../../ui/popover.tsx";
import type { FiltersProps } from "./filters.tsx";

const Filters = lazyPart(() => import("./filters.tsx").then(({ Filters }) => Filters));

/** A button whose panel has the filters of the list. */
export function FilterMenu(props: FiltersProps) {
  const { filter } = texts.linkList;
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover
      label={filter.label}
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button className="h-9 px-3! max-sm:px-2!">
          <ListFilter size={16} aria-hidden />
          {filter.label}
        </Button>
      }
    >
      <LazyDialogs onFail={() => setOpen(false)}>
        <Suspense fallback={<Skeleton className="h-80" />}>
          <Filters {...props} />
        </Suspense>
      </LazyDialogs>
    </Popover>
  );
}
