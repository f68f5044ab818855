import { store, useStored } from "./storage.ts";

export type Theme = "system" | "light" | "dark";

/** The pages read the same name before they are shown (app.html). */
const NAME = "theme";

export function useTheme(): [Theme, (theme: Theme) => void] {
  const stored = useStored(NAME);
  const theme = stored === "light" || stored === "dark" ? stored : "system";
  return [theme, setTheme];
}

function setTheme(theme: Theme): void {
  store(NAME, theme === "system" ? null : theme);
  document.documentElement.dataset["theme"] = theme;
}
