import { ChevronDown } from "lucide-react";
import { useId, type ReactNode } from "react";
import { cx } from "../../../lib/class-names.ts";
import { useShortcut } from "../../../lib/shortcuts.ts";
import { texts } from "../../../texts/index.ts";
import { Keys } from "../../../ui/keys.tsx";

interface GroupProps {
  title: string;
  icon: ReactNode;
  keys: string;
  /** What is set in the group, shown while it is closed. */
  summary: string | null;
  hasError: boolean;
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
  children: ReactNode;
}

/** Fields behind a heading that opens them. */
export function Group({ title, icon, keys, summary, hasError, isOpen, onToggle, children }: GroupProps) {
  const id = useId();
  useShortcut(keys, { label: title, group: texts.editor.keysGroup, inDialogs: true }, () => {
    onToggle(!isOpen);
    document.getElementById(`${id}-button`)?.focus();
  });
  return (
    <div className="border-t border-line first:border-t-0">
      <h3>
        <button
          type="button"
          id={`${id}-button`}
          aria-expanded={isOpen}
          aria-controls={`${id}-fields`}
          aria-keyshortcuts={keys}
          className="flex w-full items-center gap-3 rounded-control px-4 py-3 text-left hover:bg-sunken"
          onClick={() => onToggle(!isOpen)}
        >
          <span className={hasError ? "text-bad" : summary === null ? "text-soft" : "text-accent"}>{icon}</span>
          <span className="flex-1 font-semibold">{title}</span>
          {summary !== null && <span className="min-w-0 truncate text-sm text-soft">{summary}</span>}
          <span aria-hidden className="text-soft max-md:hidden">
            <Keys keys={keys} />
          </span>
          <ChevronDown
            size={18}
            className={cx("shrink-0 text-soft transition-transform", isOpen && "rotate-180")}
            aria-hidden
          />
        </button>
      </h3>
      <div id={`${id}-fields`} hidden={!isOpen} className="grid grid-cols-1 gap-4 px-4 pt-1 pb-5">
        {isOpen && children}
      </div>
    </div>
  );
}
