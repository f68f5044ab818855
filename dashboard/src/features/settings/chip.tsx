import { X } from "lucide-react";
import { texts } from "../../texts/index.ts";

/** A chosen thing, with a button that removes it. */
export function Chip({ name, disabled, onRemove }: { name: string; disabled: boolean; onRemove: () => void }) {
  return (
    <li className="inline-flex max-w-full items-center gap-0.5 rounded-full bg-wash py-0.5 pr-1 pl-2.5 text-sm font-semibold text-accent-strong">
      <span className="truncate">{name}</span>
      <button
        type="button"
        aria-label={texts.settings.tags.remove(name)}
        disabled={disabled}
        className="grid size-6 shrink-0 place-content-center rounded-full hover:bg-sunken disabled:opacity-50"
        onClick={onRemove}
      >
        <X size={14} aria-hidden />
      </button>
    </li>
  );
}
