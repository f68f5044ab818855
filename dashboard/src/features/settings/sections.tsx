import {
  Blocks,
  Building2,
  Download,
  Globe,
  KeyRound,
  Mail,
  ScrollText,
  ShieldAlert,
  ShieldCheck,
  Tag,
  Tags,
  UserRound,
  UsersRound,
  Webhook,
} from "lucide-react";
import { type ComponentType, type ReactNode } from "react";
import { lazyPart } from "../../lib/lazy-part.ts";
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

export const SETTINGS_SECTIONS: readonly SettingsSection[] = [
  {
    name: "person",
    icon: <UserRound {...ICON} />,
    group: "person",
    component: lazyPart(() =>
      import("./name-and-address.tsx").then(({ NameAndAddressSettings }) => NameAndAddressSettings),
    ),
    isHeaded: true,
  },
  {
    name: "security",
    icon: <ShieldCheck {...ICON} />,
    group: "person",
    component: lazyPart(() => import("./security.tsx").then(({ SecuritySettings }) => SecuritySettings)),
    isHeaded: true,
  },
  {
    name: "general",
    icon: <Building2 {...ICON} />,
    group: "account",
    component: lazyPart(() => import("./general/general.tsx").then(({ GeneralSettings }) => GeneralSettings)),
  },
  {
    name: "team",
    icon: <UsersRound {...ICON} />,
    group: "account",
    permission: "members:read",
    component: lazyPart(() => import("./team/team.tsx").then(({ TeamSettings }) => TeamSettings)),
  },
  {
    name: "domains",
    icon: <Globe {...ICON} />,
    group: "account",
    permission: "domains:read",
    component: lazyPart(() => import("./domains/domains.tsx").then(({ DomainSettings }) => DomainSettings)),
  },
  {
    name: "keys",
    icon: <KeyRound {...ICON} />,
    group: "account",
    permission: "keys:read",
    component: lazyPart(() => import("./keys/keys.tsx").then(({ KeySettings }) => KeySettings)),
  },
  {
    name: "apps",
    icon: <Blocks {...ICON} />,
    group: "account",
    component: lazyPart(() => import("./apps/apps.tsx").then(({ AppSettings }) => AppSettings)),
  },
  {
    name: "webhooks",
    icon: <Webhook {...ICON} />,
    group: "account",
    permission: "webhooks:read",
    component: lazyPart(() => import("./webhooks/webhooks.tsx").then(({ WebhookSettings }) => WebhookSettings)),
  },
  {
    name: "tags",
    icon: <Tag {...ICON} />,
    group: "account",
    permission: "links:read",
    component: lazyPart(() => import("./tags/tags.tsx").then(({ TagSettings }) => TagSettings)),
  },
  {
    name: "templates",
    icon: <Tags {...ICON} />,
    group: "account",
    permission: "links:read",
    component: lazyPart(() => import("./templates/templates.tsx").then(({ TemplateSettings }) => TemplateSettings)),
  },
  {
    name: "reports",
    icon: <Mail {...ICON} />,
    group: "account",
    permission: "clicks:read",
    component: lazyPart(() =>
      import("./mail-reports/mail-reports.tsx").then(({ MailReportSettings }) => MailReportSettings),
    ),
  },
  {
    name: "audit",
    icon: <ScrollText {...ICON} />,
    group: "account",
    permission: "audit:read",
    component: lazyPart(() => import("./audit.tsx").then(({ AuditSettings }) => AuditSettings)),
  },
  {
    name: "takedowns",
    icon: <ShieldAlert {...ICON} />,
    group: "account",
    permission: "audit:read",
    component: lazyPart(() => import("./takedowns.tsx").then(({ TakedownSettings }) => TakedownSettings)),
  },
  {
    name: "data",
    icon: <Download {...ICON} />,
    group: "account",
    permission: "account:export",
    component: lazyPart(() => import("./data.tsx").then(({ DataSettings }) => DataSettings)),
    isHeaded: true,
  },
];
