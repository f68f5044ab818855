import { CalendarClock, Lock, Megaphone, Settings2, Share2, Smartphone, Split } from "lucide-react";
import { useState, type ReactNode } from "react";
import { formatCount, formatMoment } from "#dashboard/lib/format.ts";
import { texts } from "#dashboard/texts/index.ts";
import type { Draft } from "./draft.ts";
import { isWithin } from "./errors.ts";
import { ExpiryGroup } from "./expiry-group.tsx";
import { useLinkForm, type LinkForm } from "./form.ts";
import { Group } from "./group.tsx";
import { GROUP_KEYS } from "./keys.ts";
import { MoreGroup } from "./more-group.tsx";
import { PasswordGroup } from "./password-group.tsx";
import { RulesGroup } from "./rules-group.tsx";
import { SocialGroup } from "./social-group.tsx";
import { TargetingGroup } from "./targeting-group.tsx";
import { readUtm } from "./utm.ts";
import { UtmGroup } from "./utm-group.tsx";

const words = texts.editor.summaries;

interface GroupKind {
  id: keyof typeof GROUP_KEYS;
  icon: ReactNode;
  /** The fields of the request that are in the group. */
  fields: readonly string[];
  content: ReactNode;
  summary: (draft: Draft, form: LinkForm) => string | null;
}

const GROUPS: readonly GroupKind[] = [
  {
    id: "utm",
    icon: <Megaphone size={18} aria-hidden />,
    fields: ["utm", "passParameters"],
    content: <UtmGroup />,
    summary: ({ url, passParameters }) =>
      [...Object.values(readUtm(url)), ...(passParameters ? [] : [words.noParameters])].join(" · ") || null,
  },
  {
    id: "expiry",
    icon: <CalendarClock size={18} aria-hidden />,
    fields: ["startsAt", "expiresAt", "maxClicks", "expiredUrl"],
    content: <ExpiryGroup />,
    summary: summariseExpiry,
  },
  {
    id: "password",
    icon: <Lock size={18} aria-hidden />,
    fields: ["password"],
    content: <PasswordGroup />,
    summary: ({ password }, { base }) => {
      if (password === null) return words.passwordEnds;
      return password !== "" || base?.hasPassword === true ? words.password : null;
    },
  },
  {
    id: "targeting",
    icon: <Smartphone size={18} aria-hidden />,
    fields: ["ios", "android", "geo"],
    content: <TargetingGroup />,
    summary: ({ ios, android, geo }) => {
      const count = [ios, android].filter((url) => url.trim() !== "").length + geo.length;
      return count === 0 ? null : words.targets(count);
    },
  },
  {
    id: "rules",
    icon: <Split size={18} aria-hidden />,
    fields: ["rules"],
    content: <RulesGroup />,
    summary: ({ rules }) => (rules.length === 0 ? null : words.rules(rules.length)),
  },
  {
    id: "social",
    icon: <Share2 size={18} aria-hidden />,
    fields: ["preview"],
    content: <SocialGroup />,
    summary: ({ preview }) => {
      if (preview.title.trim() !== "") return preview.title.trim();
      return preview.description.trim() !== "" || preview.image.trim() !== "" ? words.own : null;
    },
  },
  {
    id: "more",
    icon: <Settings2 size={18} aria-hidden />,
    fields: ["redirectStatus", "externalId", "aliases", "archived", "disabled"],
    content: <MoreGroup />,
    summary: summariseMore,
  },
];

function summariseExpiry({ startsAt, expiresAt, maxClicks }: Draft): string | null {
  const clicks = Number(maxClicks);
  const parts = [
    ...(startsAt === null ? [] : [words.from(formatMoment(startsAt))]),
    ...(expiresAt === null ? [] : [formatMoment(expiresAt)]),
    ...(maxClicks.trim() === "" ? [] : [words.clicks(Number.isNaN(clicks) ? maxClicks.trim() : formatCount(clicks))]),
  ];
  return parts.length === 0 ? null : parts.join(" · ");
}

function summariseMore({ disabled, archived, redirectStatus, externalId }: Draft): string | null {
  const parts = [
    ...(disabled ? [words.disabled] : []),
    ...(archived ? [words.archived] : []),
    ...(redirectStatus === "" || redirectStatus === "302" ? [] : [redirectStatus]),
    ...(externalId.trim() === "" ? [] : [externalId.trim()]),
  ];
  return parts.length === 0 ? null : parts.join(" · ");
}

/** The settings beyond the main fields. A group with an error is open. */
export function Groups() {
  const form = useLinkForm();
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  return (
    <div className="rounded-card border border-line">
      {GROUPS.map(({ id, icon, fields, content, summary }) => {
        const hasError = form.faults.some(({ path }) => fields.some((field) => isWithin(path, field)));
        return (
          <Group
            key={id}
            title={texts.editor.groups[id]}
            icon={icon}
            keys={GROUP_KEYS[id]}
            summary={summary(form.draft, form)}
            hasError={hasError}
            isOpen={opened.has(id) || hasError}
            onToggle={(isOpen) =>
              setOpened(isOpen ? new Set([...opened, id]) : new Set([...opened].filter((each) => each !== id)))
            }
          >
            {content}
          </Group>
        );
      })}
    </div>
  );
}
