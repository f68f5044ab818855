import {
  Archive,
  Ban,
  CalendarClock,
  Clock,
  KeyRound,
  OctagonX,
  Split,
  Trash2,
  TriangleAlert,
  Unlink,
  type LucideIcon,
} from "lucide-react";
import { useState } from "react";
import { actingFor } from "../../api/client.ts";
import type { Link, ListedLink } from "../../api/types.ts";
import { useTagColor } from "../../api/tag-colors.ts";
import { cx } from "../../lib/class-names.ts";
import { formatRelative } from "../../lib/format.ts";
import { hostOf, withoutScheme } from "../../lib/urls.ts";
import { texts } from "../../texts/index.ts";
import { Badge } from "../../ui/layout.tsx";
import { TagDot } from "../../ui/tag-dot.tsx";

// The parts of a link that rows and cards share.

/** Domain and slug. People look for the slug, so the domain is shortened first. */
export function ShortName({ link, isCompact }: { link: Link; isCompact: boolean }) {
  const full = withoutScheme(link.shortUrl);
  // There is little room, and most links are at the service's own domain.
  const name = isCompact && link.domain === location.host ? full.slice(full.indexOf("/")) : full;
  const end = name.indexOf("/") + 1;
  return (
    <span dir="ltr" className="flex min-w-0">
      <span className="min-w-0 truncate font-normal text-soft">{name.slice(0, end)}</span>
      <span className="max-w-full shrink-0 truncate">{name.slice(end)}</span>
    </span>
  );
}

/** The same on as many lines as it needs. */
export function WholeName({ shortUrl }: { shortUrl: string }) {
  const name = withoutScheme(shortUrl);
  const end = name.indexOf("/") + 1;
  return (
    <bdi dir="ltr">
      <span className="font-normal text-soft">{name.slice(0, end)}</span>
      {name.slice(end)}
    </bdi>
  );
}

/**
 * The icon of the destination, or the first letter of its host. The service fetches the icon, so the host sees no person. The host
 * is the one where the redirects end, if it is known.
 */
export function HostIcon({ link, className }: { link: Link; className?: string }) {
  const host = (link.destination?.host ?? hostOf(link.url)).replace(/^www\./, "");
  const [isShown, setShown] = useState(false);
  return (
    <span
      aria-hidden
      title={host}
      className={cx(
        "relative grid shrink-0 place-content-center overflow-hidden rounded-full bg-sunken font-bold text-soft uppercase select-none",
        className,
      )}
    >
      {Array.from(host)[0]}
      {link.destination !== null && (
        <img
          src={`/api/account/icons/${link.id}?accountId=${actingFor()}`}
          alt=""
          loading="lazy"
          // Most icons are drawn for a light background.
          className={cx("absolute inset-0 size-full bg-paper object-contain p-[18%]", !isShown && "opacity-0")}
          onLoad={() => setShown(true)}
          onError={() => setShown(false)}
        />
      )}
    </span>
  );
}

/** The destination as people read it. The title of the link or of the page comes first if there is one. */
export function Destination({ link: { url, title, destination } }: { link: Link }) {
  const name = title ?? destination?.title ?? null;
  return (
    <span className="flex min-w-0 gap-1.5 text-sm text-soft">
      {name !== null && (
        <span
          dir="auto"
          title={name}
          className={cx("max-w-[60%] shrink-0 truncate", title === null ? "italic" : "text-ink")}
        >
          {name}
        </span>
      )}
      <a
        href={url}
        target="_blank"
        rel="noreferrer"
        tabIndex={-1}
        dir="ltr"
        className="relative z-1 truncate hover:text-accent-strong hover:underline"
      >
        {url.replace(/^https?:\/\/(www\.)?/, "").replace(/\/$/, "")}
      </a>
    </span>
  );
}

/** What is special about the link. Nothing for an active one. */
export function LinkBadges({ link, asIcons = false }: { link: ListedLink; asIcons?: boolean }) {
  const { status } = texts.linkList;
  const hasRules =
    link.rules.length > 0 || Object.keys(link.geo).length > 0 || link.ios !== null || link.android !== null;
  return (
    <>
      {link.deletesAt !== undefined && (
        <StatusBadge
          kind="warn"
          icon={Trash2}
          label={status.deletes(formatRelative(link.deletesAt))}
          asIcon={asIcons}
        />
      )}
      {link.verdict.state === "blocked" && (
        <StatusBadge kind="bad" icon={OctagonX} label={texts.heldLinks.blocked} asIcon={asIcons} />
      )}
      {link.verdict.state === "warned" && (
        <StatusBadge kind="warn" icon={TriangleAlert} label={texts.heldLinks.warned} asIcon={asIcons} />
      )}
      {link.status === "disabled" && <StatusBadge kind="bad" icon={Ban} label={status.disabled} asIcon={asIcons} />}
      {link.destination?.state === "broken" && (
        <StatusBadge kind="bad" icon={Unlink} label={status.broken} asIcon={asIcons} />
      )}
      {link.status === "expired" && <StatusBadge kind="warn" icon={Clock} label={status.expired} asIcon={asIcons} />}
      {link.status === "scheduled" && link.startsAt !== null && (
        <StatusBadge
          kind="warn"
          icon={CalendarClock}
          label={status.starts(formatRelative(link.startsAt))}
          asIcon={asIcons}
        />
      )}
      {link.archived && <StatusBadge icon={Archive} label={status.archived} asIcon={asIcons} />}
      {link.status === "active" && link.expiresAt !== null && (
        <StatusBadge icon={Clock} label={status.expires(formatRelative(link.expiresAt))} asIcon={asIcons} />
      )}
      {link.hasPassword && <StatusBadge icon={KeyRound} label={status.password} asIcon={asIcons} />}
      {hasRules && <StatusBadge icon={Split} label={status.rules} asIcon={asIcons} />}
    </>
  );
}

interface StatusBadgeProps {
  kind?: "neutral" | "warn" | "bad";
  icon: LucideIcon;
  label: string;
  asIcon: boolean;
}

function StatusBadge({ kind = "neutral", icon: Icon, label, asIcon }: StatusBadgeProps) {
  return (
    <span title={label}>
      <Badge kind={kind}>
        <Icon size={12} className="my-0.5" aria-hidden />
        <span data-label="" className={asIcon ? "sr-only" : undefined}>
          {label}
        </span>
      </Badge>
    </span>
  );
}

/** As many tags as fit, and the number of the others. */
export function LinkTags({ tags, max }: { tags: readonly string[]; max: number }) {
  const colorOf = useTagColor(tags.length > 0);
  return (
    // Columns of a grid share the room alike, so a short tag keeps its text beside long ones.
    <span className="grid min-w-0 auto-cols-[minmax(0,max-content)] grid-flow-col items-center gap-1">
      {tags.slice(0, max).map((tag) => (
        <span
          key={tag}
          dir="auto"
          title={tag}
          className="flex min-w-0 items-center gap-1 rounded-control border border-line bg-surface px-1.5 py-px text-xs font-semibold text-soft"
        >
          <TagDot color={colorOf(tag)} />
          <span className="truncate">{tag}</span>
        </span>
      ))}
      {tags.length > max && (
        <span dir="ltr" className="shrink-0 text-xs text-soft" title={tags.slice(max).join(", ")}>
          +{tags.length - max}
        </span>
      )}
    </span>
  );
}
