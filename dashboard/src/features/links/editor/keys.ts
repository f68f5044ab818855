/** The keys that open the groups of the editor. */
export const GROUP_KEYS = {
  utm: "Alt+m",
  expiry: "Alt+x",
  password: "Alt+p",
  targeting: "Alt+t",
  rules: "Alt+r",
  social: "Alt+s",
  more: "Alt+o",
} as const;

export const SAVE_KEYS = "Ctrl+s";
/** As many services have it. */
export const OTHER_SAVE_KEYS = "Ctrl+Enter";
