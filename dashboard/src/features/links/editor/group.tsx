import { ChevronDown } from "lucide-react";
import { useEffect, useId, useRef, type ReactNode } from "react";
import { cx } from "#dashboard/lib/class-names.ts";
import { useShortcut } from "#dashboard/lib/shortcuts.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Keys } from "#dashboard/ui/keys.tsx";

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
  const fields = useRef<HTMLDivElement>(null);
  const focusesField = useRef(false);
  useEffect(() => {
    if (isOpen && focusesField.current) focusFirstField(fields.current);
    focusesField.current = false;
  }, [isOpen]);
  // In the group, its key closes it.
  useShortcut(keys, { label: title, group: texts.editor.keysGroup, inDialogs: true }, () => {
    if (!isOpen) {
      focusesField.current = true;
      onToggle(true);
    } else if (fields.current?.contains(document.activeElement) === true) {
      document.getElementById(`${id}-button`)?.focus();
      onToggle(false);
    } else focusFirstField(fields.current);
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
          className="flex w-full items-center gap-3 rounded-control px-4 py-3 text-start hover:bg-sunken"
          onClick={() => onToggle(!isOpen)}
        >
          <span className={hasError ? "text-bad" : summary === null ? "text-soft" : "text-accent"}>{icon}</span>
          <span className="flex min-w-0 grow flex-col justify-between gap-x-3 sm:flex-row sm:items-center">
            <span className="font-semibold">{title}</span>
            {summary !== null && <span className="min-w-0 shrink-[99] truncate text-sm text-soft">{summary}</span>}
          </span>
          <span aria-hidden className="text-soft">
            <Keys keys={keys} />
          </span>
          <ChevronDown
            size={18}
            className={cx("shrink-0 text-soft transition-transform", isOpen && "rotate-180")}
            aria-hidden
          />
        </button>
      </h3>
      <div ref={fields} id={`${id}-fields`} hidden={!isOpen} className="grid grid-cols-1 gap-4 px-4 pt-1 pb-5">
        {isOpen && children}
      </div>
    </div>
  );
}

/** A group may begin with a button, such as that of the UTM templates, or have nothing else. */
function focusFirstField(group: HTMLElement | null): void {
  const find = (controls: string) => group?.querySelector<HTMLElement>(controls);
  (find("input, select, textarea") ?? find("button"))?.focus();
}
