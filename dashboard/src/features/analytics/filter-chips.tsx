import { ChevronDown, X } from "lucide-react";
import { LOCALE, lazily } from "../../lib/format.ts";
import { NARROW, useMedia } from "../../lib/media.ts";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu.tsx";
import { useAnalytics } from "./context.ts";
import { isSelection } from "./dimensions.ts";
import { conditionsOf, replaceCondition, type Condition } from "./view.ts";

const { filters: words, parameters } = texts.analytics;
const anyOf = lazily(() => new Intl.ListFormat(LOCALE, { type: "disjunction" }));

/** The filters that are in effect, on phones in one line that scrolls. Each can be removed, or turned from "is" into "is not". */
export function FilterChips() {
  const { view, change } = useAnalytics();
  const isNarrow = useMedia(NARROW);
  const conditions = conditionsOf(view.filters);
  if (conditions.length === 0) return null;
  return (
    <div
      className={isNarrow ? "-my-1 flex w-full items-center gap-2 overflow-x-auto py-1 ps-0.5 fade-edges" : "contents"}
    >
      <ul aria-label={words.label} className="contents">
        {conditions.map((condition) => (
          <Chip key={`${condition.name} ${condition.isNot}`} condition={condition} />
        ))}
      </ul>
      {conditions.length > 1 && (
        <Button kind="quiet" size="small" onClick={() => change({ filters: {} })}>
          {words.clear}
        </Button>
      )}
    </div>
  );
}

function Chip({ condition }: { condition: Condition }) {
  const { view, change, nameOf } = useAnalytics();
  const { name, isNot, values } = condition;
  const replace = (after: Condition | null) => change({ filters: replaceCondition(view.filters, condition, after) });
  const names = values.map((value) => nameOf(name, value));
  const sentence = words.sentence(parameters[name], isNot, anyOf().format(names));
  return (
    <li className="flex max-w-full shrink-0 items-center rounded-control bg-wash text-sm text-accent-strong">
      <Menu
        align="start"
        trigger={
          <button
            type="button"
            aria-label={sentence}
            className="flex h-9 min-w-0 items-center gap-1.5 rounded-control pe-1 ps-2.5 font-semibold"
          >
            <span className="max-w-72 truncate">
              <span className="font-normal">
                {parameters[name]} {isNot ? words.isNot : words.is}
              </span>{" "}
              {anyOf().format(names)}
            </span>
            <ChevronDown size={14} aria-hidden className="shrink-0" />
          </button>
        }
      >
        {!isSelection(name) && (
          <>
            <MenuItem onSelect={() => replace({ ...condition, isNot: !isNot })}>{words.turn(isNot)}</MenuItem>
            <MenuSeparator />
          </>
        )}
        {values.map((value, index) => (
          <MenuItem
            key={value}
            onSelect={() =>
              replace(values.length === 1 ? null : { ...condition, values: values.filter((each) => each !== value) })
            }
          >
            {words.removeValue(names[index] ?? value)}
          </MenuItem>
        ))}
      </Menu>
      <button
        type="button"
        aria-label={words.remove(sentence)}
        onClick={() => replace(null)}
        className="me-0.5 flex size-8 items-center justify-center rounded-control hover:bg-sunken"
      >
        <X size={15} aria-hidden />
      </button>
    </li>
  );
}
