import { Image } from "lucide-react";
import type { Domain } from "#src/domains/contract.ts";
import { COLOUR, normaliseColour, textColourOn } from "#src/platform/lib/colour.ts";
import { cx } from "#dashboard/lib/class-names.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Brand } from "#dashboard/ui/brand.tsx";

const words = texts.domains.brand.preview;

interface BrandPreviewProps {
  domain: Domain;
  name: string;
  logo: string;
  /** `#rgb` or `#rrggbb`; anything else stands for the service's colour. */
  colour: string;
}

/** What the pages will look like. The dashboard loads nothing from other hosts, so a box stands for the logo. */
export function BrandPreview({ domain, name, logo, colour }: BrandPreviewProps) {
  const logoHost = URL.parse(logo.trim())?.hostname ?? "";
  return (
    <div className="grid grid-cols-1 content-start gap-2">
      <figure className="grid grid-cols-1 gap-2">
        <figcaption className="font-semibold">{words.title}</figcaption>
        <div className="rounded-card border border-line bg-page p-5">
          <div className="mb-5 flex items-center gap-2.5 font-bold wrap-anywhere">
            {logoHost === "" && name.trim() === "" && <Brand />}
            {logoHost !== "" && <LogoBox host={logoHost} isAlone={name.trim() === ""} />}
            <bdi>{name.trim()}</bdi>
          </div>
          <p className="mb-4">{words.text}</p>
          <SampleButton colour={colour.trim()} />
        </div>
      </figure>
      <p className="text-sm text-soft">{logoHost === "" ? words.contactsNobody : words.contacts(logoHost)}</p>
      {domain.status === "verified" && domain.rootUrl === null && (
        <a
          href={`https://${domain.domain}/`}
          target="_blank"
          rel="noreferrer"
          className="justify-self-start text-sm font-semibold text-accent underline"
        >
          {words.open(domain.unicodeDomain)}
        </a>
      )}
    </div>
  );
}

function LogoBox({ host, isAlone }: { host: string; isAlone: boolean }) {
  return (
    <span
      role="img"
      aria-label={words.logo(host)}
      className={cx(
        "grid h-12 shrink-0 place-items-center rounded-control border border-dashed border-control text-soft",
        isAlone ? "w-48 max-w-full" : "w-12",
      )}
    >
      <Image className="size-5" aria-hidden="true" />
    </span>
  );
}

function SampleButton({ colour }: { colour: string }) {
  const background = COLOUR.test(colour) ? normaliseColour(colour) : null;
  return (
    <span
      className="inline-block rounded-control bg-accent px-6 py-2 font-semibold text-on-accent"
      style={background === null ? undefined : { background, color: textColourOn(background) }}
    >
      {words.button}
    </span>
  );
}
