import { ArrowLeftRight, ChartNoAxesColumn, Link2, Settings } from "lucide-react";
import type { ReactNode } from "react";
import { useSession, type CurrentSession } from "../session.ts";
import { texts } from "../texts/index.ts";

export interface NavigationPage {
  to: "/links" | "/analytics" | "/moving" | "/settings";
  label: string;
  /** For the bar of phones. */
  shortLabel?: string;
  icon: ReactNode;
  /** The keys that open it. */
  keys: string;
  /** Whom the page would refuse is not led to it. */
  permission?: Parameters<CurrentSession["can"]>[0];
}

const PAGES: readonly NavigationPage[] = [
  { to: "/links", label: texts.shell.pages.links, icon: <Link2 size={20} aria-hidden />, keys: "g l" },
  {
    to: "/analytics",
    label: texts.shell.pages.analytics,
    icon: <ChartNoAxesColumn size={20} aria-hidden />,
    keys: "g a",
  },
  {
    to: "/moving",
    label: texts.shell.pages.moving,
    shortLabel: texts.shell.pages.movingShort,
    icon: <ArrowLeftRight size={20} aria-hidden />,
    keys: "g i",
    permission: "bulk",
  },
  { to: "/settings", label: texts.shell.pages.settings, icon: <Settings size={20} aria-hidden />, keys: "g s" },
];

/** The pages that the person may see. */
export function usePages(): readonly NavigationPage[] {
  const { can } = useSession();
  return PAGES.filter(({ permission }) => permission === undefined || can(permission));
}
