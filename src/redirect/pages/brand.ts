import { contrastRatio, textColourOn } from "../../platform/lib/colour.ts";
import { escapeHtml } from "../../platform/lib/escape-html.ts";
import type { IncomingRequest } from "../request-url.ts";
import { MARK } from "./page-style.ts";

// What tells whose page it is: the brand of the custom domain, or the mark of the service.

/** Parts of a page, as HTML and CSS. */
interface Look {
  /** The value of the attribute `href`. */
  icon: string;
  /** Rules for the brand's colour. */
  style: string;
  header: string;
}

const ICON = `data:image/svg+xml,${encodeURIComponent(MARK)}`;

export function lookOf({ request, brand }: Pick<IncomingRequest, "request" | "brand">): Look {
  const { brandName: name = null, brandLogo: logo = null, brandColor: colour = null } = brand ?? {};
  return {
    icon: logo === null ? ICON : escapeHtml(logo),
    style: colour === null ? "" : styleOf(colour),
    header: name === null && logo === null ? MARK : renderLogo(logo, name, request) + renderName(name),
  };
}

/** The image has a box of its own, so that nothing moves when it arrives or fails. Without a name, it stands for the host. */
function renderLogo(logo: string | null, name: string | null, { url }: Request): string {
  if (logo === null) return "";
  const rest = name === null ? `class="alone" alt="${escapeHtml(new URL(url).host)}"` : 'alt=""';
  return `<img src="${escapeHtml(logo)}" referrerpolicy="no-referrer" ${rest}>`;
}

function renderName(name: string | null): string {
  return name === null ? "" : `<bdi>${escapeHtml(name)}</bdi>`;
}

/** The backgrounds of the pages, as in page-style.ts. */
const BACKGROUNDS = { light: "#f5f7f6", dark: "#0e171c" };

/** Contrast of text (WCAG 2.2, 1.4.3). */
const MIN_TEXT_CONTRAST = 4.5;

/** Buttons have the colour. Links and the outline of the focus have it where it can be read on the background. */
function styleOf(colour: string): string {
  const buttons = `button,.button{color:${textColourOn(colour)};background:${colour};border-color:${colour}}`;
  const others = Object.entries(BACKGROUNDS).map(([scheme, background]) =>
    contrastRatio(colour, background) < MIN_TEXT_CONTRAST
      ? ""
      : `@media(prefers-color-scheme:${scheme}){a{color:${colour}}:focus-visible{outline-color:${colour}}}`,
  );
  // After the rules for links: a button may be a link.
  return others.join("") + buttons;
}
