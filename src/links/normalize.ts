import { memoize } from "../platform/lib/memoize.ts";
import { MAX_HOST_CHARS, MAX_KNOWN_TEXTS } from "../limits.ts";

// The canonical names of countries, languages and hosts in rules. A bulk creation has up to 200,000, mostly the same ones.

/** ISO 3166-1 and XK for Kosovo: the countries that Cloudflare reports for visitors. */
export const COUNTRY_CODES: ReadonlySet<string> = new Set(
  (
    "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ " +
    "CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR " +
    "GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO " +
    "JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR " +
    "MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO " +
    "RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV " +
    "TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW"
  ).split(" "),
);

export function isCountry(code: string): boolean {
  return COUNTRY_CODES.has(code);
}

/** Returns the language tag in its canonical form, such as pt-BR, or null if it is not valid. */
export const canonicalLanguage = memoize(MAX_KNOWN_TEXTS, (tag): string | null => {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null;
  } catch {
    return null;
  }
});

/** Returns the host in lower case and Punycode, or null if the text is not a host alone. */
export const canonicalHost = memoize(MAX_KNOWN_TEXTS, (text): string | null => {
  if (!/^[^\s/:@?#\\*%]+$/.test(text)) return null;
  const hostname = URL.parse(`https://${text}`)?.hostname.replace(/\.$/, "") ?? "";
  return hostname === "" || hostname.length > MAX_HOST_CHARS ? null : hostname;
});
