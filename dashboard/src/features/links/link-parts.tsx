import { Archive, Ban, Clock, KeyRound, Split } from "lucide-react";
import type { Link } from "../../api/types.ts";
import { cx } from "../../lib/class-names.ts";
import { formatRelative } from "../../lib/format.ts";
import { texts } from "../../texts/index.ts";
import { Badge } from "../../ui/layout.tsx";

// The parts of a link that rows and cards share.

/** The short URL without its protocol. */
export const shortName = ({ shortUrl }: Pick<Link, "shortUrl">): string => shortUrl.replace(/^https?:\/\//, "");

/** Domain and slug, of which the slug is what people look for. */
export function ShortName({ link }: { link: Link }) {
  const name = shortName(link);
  const end = name.indexOf("/") + 1;
  return (
    <>
      <span className="font-normal text-soft">{name.slice(0, end)}</span>
      {name.slice(end)}
    </>
  );
}

/** Stands for an icon of the destination: reading one would tell its host about the person. */
export function HostInitial({ url, className }: { url: string; className?: string }) {
  const host = hostOf(url).replace(/^www\./, "");
  return (
    <span
      aria-hidden
      className={cx(
        "grid shrink-0 place-content-center rounded-full bg-wash font-bold text-accent-strong uppercase select-none",
        className,
      )}
    >
      {Array.from(host)[0]}
    </span>
  );
}

/** The destination as people read it; the title first if there is one. */
export function Destination({ link: { url, title } }: { link: Link }) {
  return (
    <span className="flex min-w-0 gap-1.5 text-sm text-soft">
      {title !== null && <span className="max-w-[60%] shrink-0 truncate text-ink">{title}</span>}
      <a
        href={url}
        target="_blank"
        rel="noreferrer"
        tabIndex={-1}
        className="relative z-1 truncate hover:text-accent-strong hover:underline"
      >
        {url.replace(/^https?:\/\/(www\.)?/, "").replace(/\/$/, "")}
      </a>
    </span>
  );
}

/** What is special about the link. Nothing for an active one. */
export function LinkBadges({ link }: { link: Link }) {
  const { status } = texts.linkList;
  const hasRules =
    link.rules.length > 0 || Object.keys(link.geo).length > 0 || link.ios !== null || link.android !== null;
  const ends = link.status === "active" && link.expiresAt !== null;
  return (
    <>
      {link.status === "disabled" && (
        <Badge kind="bad">
          <Ban size={12} aria-hidden />
          {status.disabled}
        </Badge>
      )}
      {link.status === "expired" && (
        <Badge kind="warn">
          <Clock size={12} aria-hidden />
          {status.expired}
        </Badge>
      )}
      {link.archived && (
        <Badge>
          <Archive size={12} aria-hidden />
          {status.archived}
        </Badge>
      )}
      {ends && link.expiresAt !== null && (
        <Badge>
          <Clock size={12} aria-hidden />
          {status.expires(formatRelative(link.expiresAt))}
        </Badge>
      )}
      {link.hasPassword && (
        <Badge>
          <KeyRound size={12} aria-hidden />
          {status.password}
        </Badge>
      )}
      {hasRules && (
        <Badge>
          <Split size={12} aria-hidden />
          {status.rules}
        </Badge>
      )}
    </>
  );
}

/** As many tags as fit, and the number of the others. */
export function LinkTags({ tags, max }: { tags: readonly string[]; max: number }) {
  return (
    <span className="flex min-w-0 items-center gap-1">
      {tags.slice(0, max).map((tag) => (
        <span
          key={tag}
          title={tag}
          className="min-w-0 truncate rounded-control bg-wash px-1.5 py-0.5 text-xs font-semibold text-accent-strong"
        >
          {tag}
        </span>
      ))}
      {tags.length > max && (
        <span className="shrink-0 text-xs text-soft" title={tags.slice(max).join(", ")}>
          +{tags.length - max}
        </span>
      )}
    </span>
  );
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : url;
}
