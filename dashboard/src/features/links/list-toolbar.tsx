import { ArrowUpDown, SlidersHorizontal } from "lucide-react";
import type { ReactNode } from "react";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { ColumnChoice } from "../../ui/column-choice.tsx";
import { Segments } from "../../ui/field.tsx";
import { Menu, MenuChoice } from "../../ui/menu.tsx";
import { Popover } from "../../ui/popover.tsx";
import { changeDisplay, CHOSEN_COLUMNS, type Display } from "./display.ts";
import { FilterMenu } from "./filter-menu.tsx";
import { SearchField } from "./search-field.tsx";
import { ORDERS, SORTS, type LinksView } from "./view.ts";

interface ListToolbarProps {
  view: LinksView;
  display: Display;
  onChange: (changes: Partial<LinksView>) => void;
  onSearch: (search: string) => void;
  /** The menu of saved views. */
  views: ReactNode;
}

/** Search, filters, order and display of the list. */
export function ListToolbar({ view, display, onChange, onSearch, views }: ListToolbarProps) {
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2 max-sm:gap-1.5">
      {view.status !== "deleted" && <SearchField search={view.search} onSearch={onSearch} />}
      <FilterMenu view={view} onChange={onChange} />
      {views}
      {view.status !== "deleted" && <SortMenu view={view} onChange={onChange} />}
      <span className="max-md:hidden">
        <DisplayMenu display={display} />
      </span>
    </div>
  );
}

function SortMenu({ view, onChange }: Pick<ListToolbarProps, "view" | "onChange">) {
  const { sort } = texts.linkList;
  return (
    <Menu
      align="start"
      trigger={
        <Button className="h-9 px-3! max-sm:px-2!" aria-label={`${sort.label}: ${sort[view.sort][view.order]}`}>
          <ArrowUpDown size={16} aria-hidden />
          {sort[view.sort][view.order]}
        </Button>
      }
    >
      {SORTS.flatMap((by) =>
        ORDERS.map((order) => (
          <MenuChoice
            key={`${by} ${order}`}
            checked={view.sort === by && view.order === order}
            onSelect={() => onChange({ sort: by, order })}
          >
            {sort[by][order]}
          </MenuChoice>
        )),
      )}
    </Menu>
  );
}

function DisplayMenu({ display }: { display: Display }) {
  const { display: words, columns } = texts.linkList;
  return (
    <Popover
      label={words.label}
      trigger={
        <Button className="h-9 px-3! max-sm:px-2!">
          <SlidersHorizontal size={16} aria-hidden />
          {words.label}
        </Button>
      }
    >
      <p className="mb-1.5 font-semibold">{words.density}</p>
      <Segments
        label={words.density}
        value={display.density}
        options={(["comfortable", "compact"] as const).map((value) => ({ value, label: words[value] }))}
        onChange={(density) => changeDisplay({ density })}
      />
      <ColumnChoice
        label={columns.label}
        all={CHOSEN_COLUMNS}
        chosen={display.columns}
        nameOf={(column) => columns[column]}
        onChange={(chosen) => changeDisplay({ columns: chosen })}
        className="mt-4"
      />
    </Popover>
  );
}
