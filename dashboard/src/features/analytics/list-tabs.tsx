import { texts } from "../../texts/index.ts";
import type { List } from "./dimensions.ts";

const { lists: names } = texts.analytics;

/** Chooses one of the lists of a card. */
export function ListTabs({
  title,
  lists,
  shown,
  onShow,
}: {
  title: string;
  lists: readonly List[];
  shown: List;
  onShow: (list: List) => void;
}) {
  return (
    <div
      role="group"
      aria-label={title}
      className="-my-1 flex min-w-0 flex-1 gap-0.5 overflow-x-auto py-1 ps-0.5 fade-edges"
    >
      {lists.map((list) => (
        <button
          key={list}
          type="button"
          aria-pressed={list === shown}
          onClick={() => onShow(list)}
          className="shrink-0 rounded-control px-2 py-1 font-semibold text-soft transition-colors hover:text-ink aria-pressed:bg-wash aria-pressed:text-accent-strong"
        >
          {names[list]}
        </button>
      ))}
    </div>
  );
}
