import { cx } from "../lib/class-names.ts";
import { areCharacters, useCharacterKeys } from "../lib/shortcuts.ts";

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The keys of a shortcut, such as `Ctrl+k` or `g l`. Nothing if the person has switched them off. */
export function Keys({ keys, className }: { keys: string; className?: string }) {
  const [hasCharacters] = useCharacterKeys();
  if (!hasCharacters && areCharacters(keys)) return null;
  return (
    <span className={cx("inline-flex gap-1", className)}>
      {keys.split(" ").map((key, index) => (
        <kbd
          key={index}
          className="inline-flex h-5 min-w-5 items-center justify-center rounded border border-current/30 px-1 font-sans text-xs"
        >
          {key
            .replace("Ctrl+", IS_MAC ? "⌘" : "Ctrl ")
            .replace("Alt+", IS_MAC ? "⌥" : "Alt ")
            .replace(/(^|[\s⌘⌥])([a-z])$/, (_, before, letter: string) => `${before}${letter.toUpperCase()}`)}
        </kbd>
      ))}
    </span>
  );
}
