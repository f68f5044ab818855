import type { ReactNode } from "react";
import type { Link } from "#dashboard/api/types.ts";
import { formatCount, formatCountry, formatMoment, formatRelative } from "#dashboard/lib/format.ts";
import { hostOf, withoutScheme } from "#dashboard/lib/urls.ts";
import { texts } from "#dashboard/texts/index.ts";
import { HostIcon } from "../link-parts.tsx";
import { describeConditions } from "./describe.ts";

const words = texts.linkDetails;
type Term = keyof typeof words.terms;

const LONG: ReadonlySet<Term> = new Set(["geo", "rules"]);
/** A longer title has a row of its own. */
const SHORT_TITLE_CHARS = 40;

/** All settings of the link that are not as usual, in words. */
export function SettingsList({ link }: { link: Link }) {
  const settings = Object.entries(settingsOf(link)) as [Term, ReactNode][];
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-4 lg:grid-cols-3 xl:grid-cols-4">
      {settings
        .filter(([, value]) => value !== null && value !== false)
        .map(([term, value]) => (
          <div key={term} className={isLong(term, link) ? "col-span-full" : "min-w-0"}>
            <dt className="text-sm text-soft">{words.terms[term]}</dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ))}
    </dl>
  );
}

function isLong(term: Term, { title }: Link): boolean {
  return LONG.has(term) || (term === "title" && title !== null && title.length > SHORT_TITLE_CHARS);
}

/** null and false are settings that the link does not have. */
function settingsOf(link: Link): Record<Term, ReactNode> {
  const { title, tags, externalId, aliases, redirectStatus, importedClicks, hasPassword } = link;
  return {
    title: title !== null && <bdi>{title}</bdi>,
    destination: link.destination !== null && <FoundPage link={link} found={link.destination} />,
    tags: tags.length > 0 && <Words values={tags} />,
    startsAt: link.startsAt !== null && `${formatMoment(link.startsAt)} (${formatRelative(link.startsAt)})`,
    expiresAt: link.expiresAt !== null && `${formatMoment(link.expiresAt)} (${formatRelative(link.expiresAt)})`,
    maxClicks: link.maxClicks !== null && words.clickLimit(link.clicks, link.maxClicks),
    expiredUrl: link.expiredUrl !== null && <Url url={link.expiredUrl} />,
    password: hasPassword && words.hasPassword,
    redirectStatus: words.redirects[redirectStatus],
    passParameters: !link.passParameters && words.parametersKeptOff,
    ios: link.ios !== null && <Url url={link.ios} />,
    android: link.android !== null && <Url url={link.android} />,
    preview: link.preview !== null && <PreviewText preview={link.preview} />,
    aliases: aliases.length > 0 && <Words values={aliases} isCode />,
    externalId: externalId !== null && <code className="font-mono text-sm">{externalId}</code>,
    importedClicks: importedClicks > 0 && formatCount(importedClicks),
    createdAt: formatMoment(link.createdAt),
    updatedAt: link.updatedAt !== link.createdAt && formatMoment(link.updatedAt),
    geo: Object.keys(link.geo).length > 0 && <Countries geo={link.geo} />,
    rules: link.rules.length > 0 && <Rules rules={link.rules} />,
  };
}

/** What the service found at the destination. */
function FoundPage({ link, found }: { link: Link; found: NonNullable<Link["destination"]> }) {
  const { title, host, state, checkedAt } = found;
  const facts = [
    ...(host === hostOf(link.url) ? [] : [words.endsAt(host)]),
    words.visited(words.destinationStates[state], formatRelative(checkedAt)),
  ];
  return (
    <span className="flex items-start gap-3">
      <HostIcon link={link} className="size-7 text-sm" />
      <span className="min-w-0">
        {title !== null && <bdi className="block">{title}</bdi>}
        <span className="block text-sm text-soft">{facts.join(" · ")}</span>
      </span>
    </span>
  );
}

function Words({ values, isCode = false }: { values: readonly string[]; isCode?: boolean }) {
  return (
    <span className="flex flex-wrap gap-1">
      {values.map((value) => (
        <span
          key={value}
          dir="auto"
          className={`max-w-full rounded-control bg-sunken px-2 py-0.5 text-sm ${isCode ? "font-mono" : ""}`}
        >
          {value}
        </span>
      ))}
    </span>
  );
}

const Arrow = () => (
  <span aria-hidden className="inline-block rtl:-scale-x-100">
    →
  </span>
);

function Url({ url }: { url: string }) {
  return (
    <bdi dir="ltr" className="break-all">
      {withoutScheme(url)}
    </bdi>
  );
}

function Countries({ geo }: { geo: Link["geo"] }) {
  return (
    <ul className="mt-1 grid gap-1">
      {Object.entries(geo).map(([country, url]) => (
        <li key={country}>
          <span className="font-semibold">{formatCountry(country)}</span> <Arrow /> <Url url={url} />
        </li>
      ))}
    </ul>
  );
}

function Rules({ rules }: { rules: Link["rules"] }) {
  return (
    <ol className="mt-1 grid list-decimal gap-1 ps-5 marker:text-soft">
      {rules.map((rule) => (
        <li key={rule.id}>
          {describeConditions(rule)} <Arrow /> <Url url={rule.url} />
        </li>
      ))}
    </ol>
  );
}

/** The image is named only: nothing is requested from its host. */
function PreviewText({ preview }: { preview: NonNullable<Link["preview"]> }) {
  const { title, description, image } = preview;
  return (
    <>
      {title !== null && (
        <span dir="auto" className="block text-as-parent font-semibold">
          {title}
        </span>
      )}
      {description !== null && (
        <span dir="auto" title={description} className="line-clamp-3 text-as-parent text-sm">
          {description}
        </span>
      )}
      {image !== null && <span className="block text-sm text-soft">{words.image(hostOf(image))}</span>}
    </>
  );
}
