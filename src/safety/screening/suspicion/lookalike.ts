import { getDomainWithoutSuffix, parse } from "tldts-icann";
import { toUnicode } from "punycode/punycode.es6.js";
import { isWithin } from "../../../platform/lib/hosts.ts";
import { skeletonOf } from "../../../platform/lib/name-skeleton.ts";
import { isSharedHost } from "../shared-hosts.ts";

// Hosts that look like those of well-known brands, or of this service.

/** The domains of brands that phishing imitates most: banks, payments, mail, shops, carriers, coins and networks. */
const BRAND_DOMAINS: readonly string[] =
  `adobe.com airbnb.com alibaba.com aliexpress.com allegro.pl amazon.com americanexpress.com apple.com att.com bankofamerica.com
  barclays.co.uk binance.com blockchain.com booking.com bradesco.com.br caixabank.es capitalone.com cashapp.com chase.com
  citibank.com cloudflare.com coinbase.com commbank.com.au correos.es coinmarketcap.com credit-agricole.fr deutschepost.de
  discord.com docusign.com dropbox.com easyjet.com ebay.com epicgames.com etsy.com facebook.com fedex.com
  flipkart.com github.com gitlab.com google.com gmail.com hsbc.com icloud.com inpost.pl instagram.com intesasanpaolo.com itau.com.br
  kraken.com laposte.fr ledger.com linkedin.com lloydsbank.com mastercard.com mercadolibre.com metamask.io microsoft.com
  microsoftonline.com nationwide.co.uk natwest.com netflix.com nubank.com.br office365.com onedrive.com opensea.io outlook.com paypal.com payoneer.com pinterest.com
  postbank.de rabobank.nl rakuten.com revolut.com roblox.com royalmail.com salesforce.com samsung.com santander.com sberbank.ru
  scotiabank.com shopify.com snapchat.com sparkasse.de spotify.com standardbank.co.za steamcommunity.com steampowered.com
  stripe.com telegram.org tiktok.com tripadvisor.com trezor.io trustwallet.com twitch.tv twitter.com uber.com uniswap.org unicredit.it
  usbank.com usps.com venmo.com verizon.com vodafone.com walmart.com wellsfargo.com westernunion.com whatsapp.com
  wikipedia.org wordpress.com xfinity.com yahoo.com yandex.ru youtube.com zalando.com zelle.com zoom.us`.split(/\s+/);

/** Shorter names of brands are too often part of others. */
const MIN_BRAND_CHARS = 4;

const BRAND_NAMES = BRAND_DOMAINS.map((domain) => getDomainWithoutSuffix(domain) as string).filter(
  (name) => name.length >= MIN_BRAND_CHARS,
);
const EXACT = new Set(BRAND_NAMES);
const BY_SKELETON = new Set(BRAND_NAMES.map(looks));

/** Brands whose names are ordinary words too. */
const ORDINARY = new Set("blockchain booking chase discord ledger nationwide outlook stripe zoom".split(" "));

/** A brand's whole domain before the domain of somebody else, as in `paypal.com.evil.example` or `paypal.com-login.example`. */
const HAS_BRAND_DOMAIN = new RegExp(`(?:^|[.-])(?:${BRAND_DOMAINS.map(toPattern).join("|")})[.-]`);

/** Words with which phishing names its hosts after brands, as in `paypal-login`. */
const BAIT = new Set(
  `account accounts activation alert auth authenticate billing bonus cancel claim confirm confirmation connect customer delivery giveaway
  help helpdesk id invoice kyc limited locked login logon meet pay payment portal recover recovery redelivery refund resolve restore
  reward secure secured security service session signin sso support suspended team tracking unlock unusual update upgrade
  validate validation verification verify wallet web2 webscr`.split(/\s+/),
);

function toPattern(domain: string): string {
  return domain.replaceAll(".", "[.-]");
}

/** Whether the host may be taken for that of a brand or of the service. `ownHost`: the host of the service. */
export function isLookalike(host: string, ownHost: string): boolean {
  const { domain, publicSuffix } = parse(host);
  if (domain === null || publicSuffix === null) return false;
  const beforeSuffix = host.slice(0, -publicSuffix.length - 1);
  return looksLikeOwn(host, ownHost) || imitatesBrand(nameOfOwner(host, domain)) || HAS_BRAND_DOMAIN.test(beforeSuffix);
}

/** Whether the part of a URL before the `@` looks like a host, as in `https://paypal.com@evil.example/`. */
export function hasHostAsUserName(url: string): boolean {
  const [, authority = ""] = /^https?:[\\/]{2,}([^\\/?#]*)@/i.exec(url) ?? [];
  return /^[^:@]+\.[a-z]{2,}/i.test(authority) || authority.includes("@");
}

function looksLikeOwn(host: string, ownHost: string): boolean {
  return !isWithin(host, ownHost) && isWithin(looks(host), looks(ownHost));
}

/** What the owner of the host has chosen: the name of the domain, or on hosts for everybody the label before it. */
function nameOfOwner(host: string, domain: string): string {
  const labels = host.split(".");
  const index = labels.length - domain.split(".").length - (isSharedHost(domain) && host !== domain ? 1 : 0);
  return labels[index] as string;
}

function imitatesBrand(label: string): boolean {
  if (EXACT.has(label)) return false;
  if (BY_SKELETON.has(looks(label))) return true;
  const words = toUnicode(label).split(/[-_]/);
  if (words.some((word) => !EXACT.has(word) && BY_SKELETON.has(looks(word)))) return true;
  return words.some((word) => EXACT.has(word) && !ORDINARY.has(word)) && words.some((word) => BAIT.has(word));
}

/** As {@link skeletonOf}, with what reads alike in small print, and without hyphens. */
function looks(name: string): string {
  return skeletonOf(name)
    .replaceAll("rn", "m")
    .replaceAll("vv", "w")
    .replaceAll("3", "e")
    .replaceAll("4", "a")
    .replaceAll("5", "s")
    .replaceAll("-", "");
}
