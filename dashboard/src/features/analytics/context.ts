import { createContext, use } from "react";
import type { ParameterName } from "./dimensions.ts";
import type { Source } from "./source.ts";
import type { View } from "./view.ts";

/** What the parts of the analytics share. */
export interface AnalyticsState {
  source: Source;
  view: View;
  /** Shows another view, and puts it into the address of the page. */
  change: (changes: Partial<View>) => void;
  /** Adds or removes a value of a filter. */
  toggle: (name: ParameterName, value: string, isNot?: boolean) => void;
  /** A value of a list or a filter, as people read it. */
  nameOf: (name: ParameterName, value: string) => string;
}

export const AnalyticsContext = createContext<AnalyticsState | null>(null);

export function useAnalytics(): AnalyticsState {
  const state = use(AnalyticsContext);
  if (state === null) throw new Error("This part needs an AnalyticsContext.");
  return state;
}
