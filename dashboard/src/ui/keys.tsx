import { cx } from "../lib/class-names.ts";
import { areCharacters, useCharacterKeys } from "../lib/shortcuts.ts";

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.userAgent);
const ARROWS = { Up: "↑", Down: "↓", Left: "←", Right: "→" };

interface KeysProps {
  keys: string;
  className?: string;
}

/** The keys of a shortcut beside what they do. Not on phones, nor if the person has switched them off. */
export function Keys({ keys, className }: KeysProps) {
  const [hasCharacters] = useCharacterKeys();
  if (!hasCharacters && areCharacters(keys)) return null;
  return <Keycaps keys={keys} className={cx("max-md:hidden pointer-coarse:hidden", className)} />;
}

/** The keys of a shortcut, such as `Ctrl+k` or `g l`. */
export function Keycaps({ keys, className }: KeysProps) {
  return (
    <span className={cx("inline-flex shrink-0 gap-1", className)}>
      {keys.split(" ").map((key, index) => (
        <kbd
          key={index}
          className="inline-flex h-5 min-w-5 items-center justify-center rounded border whitespace-nowrap border-current/30 px-1 font-sans text-xs"
        >
          {key
            .replace("Ctrl+", IS_MAC ? "⌘" : "Ctrl ")
            .replace("Alt+", IS_MAC ? "⌥" : "Alt ")
            .replace("Shift+", IS_MAC ? "⇧" : "Shift ")
            .replace(/Arrow(\w+)/, (_, way) => ARROWS[way as keyof typeof ARROWS])
            .replace("Escape", "Esc")
            .replace(/(^|[\s⌘⌥])([a-z])$/, (_, before, letter: string) => `${before}${letter.toUpperCase()}`)}
        </kbd>
      ))}
    </span>
  );
}
