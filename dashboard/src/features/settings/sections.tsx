import {
  Building2,
  Download,
  Globe,
  KeyRound,
  ScrollText,
  ShieldCheck,
  Tags,
  UserRound,
  UsersRound,
  Webhook,
} from "lucide-react";
import { lazy, type ComponentType, type ReactNode } from "react";
import type { CurrentSession } from "../../session.ts";
import type { texts } from "../../texts/index.ts";

export interface SettingsSection {
  /** Its name in the path. */
  name: keyof typeof texts.settings.sections;
  icon: ReactNode;
  /** Whether it concerns the person, or the account that the person acts for. */
  group: "person" | "account";
  /** Who may not read it does not see it. */
  permission?: Parameters<CurrentSession["can"]>[0];
  /** Gets the id behind the name of the section. */
  component: ComponentType<{ id?: string | undefined }>;
  /** Whether the frame shows the heading. */
  isHeaded?: boolean;
}

const ICON = { size: 18, "aria-hidden": true } as const;

export const SECTIONS: readonly SettingsSection[] = [
  {
    name: "profile",
    icon: <UserRound {...ICON} />,
    group: "person",
    component: lazy(() => import("./profile.tsx").then((file) => ({ default: file.ProfileSettings }))),
    isHeaded: true,
  },
  {
    name: "security",
    icon: <ShieldCheck {...ICON} />,
    group: "person",
    component: lazy(() => import("./security.tsx").then((file) => ({ default: file.SecuritySettings }))),
    isHeaded: true,
  },
  {
    name: "general",
    icon: <Building2 {...ICON} />,
    group: "account",
    component: lazy(() => import("./general/general.tsx").then((file) => ({ default: file.GeneralSettings }))),
  },
  {
    name: "team",
    icon: <UsersRound {...ICON} />,
    group: "account",
    permission: "members:read",
    component: lazy(() => import("./team/team.tsx").then((file) => ({ default: file.TeamSettings }))),
  },
  {
    name: "domains",
    icon: <Globe {...ICON} />,
    group: "account",
    permission: "domains:read",
    component: lazy(() => import("./domains/domains.tsx").then((file) => ({ default: file.DomainSettings }))),
  },
  {
    name: "keys",
    icon: <KeyRound {...ICON} />,
    group: "account",
    permission: "keys:read",
    component: lazy(() => import("./keys/keys.tsx").then((file) => ({ default: file.KeySettings }))),
  },
  {
    name: "webhooks",
    icon: <Webhook {...ICON} />,
    group: "account",
    permission: "webhooks:read",
    component: lazy(() => import("./webhooks/webhooks.tsx").then((file) => ({ default: file.WebhookSettings }))),
  },
  {
    name: "templates",
    icon: <Tags {...ICON} />,
    group: "account",
    permission: "links:read",
    component: lazy(() => import("./templates/templates.tsx").then((file) => ({ default: file.TemplateSettings }))),
  },
  {
    name: "audit",
    icon: <ScrollText {...ICON} />,
    group: "account",
    permission: "audit:read",
    component: lazy(() => import("./audit.tsx").then((file) => ({ default: file.AuditSettings }))),
  },
  {
    name: "data",
    icon: <Download {...ICON} />,
    group: "account",
    permission: "account:export",
    component: lazy(() => import("./data.tsx").then((file) => ({ default: file.DataSettings }))),
    isHeaded: true,
  },
];
