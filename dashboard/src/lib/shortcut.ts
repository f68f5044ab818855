/** A shortcut that is in effect, as the list of shortcuts shows it. */
export interface Shortcut {
  /** A key as `KeyboardEvent.key` gives it, also with "Ctrl+" (on a Mac: the command key) or "Alt+", or two in a row: "g l". */
  keys: string;
  label: string;
  /** The heading under which the list shows it. */
  group: string;
}
