// Kinds of devices by their user agent. Redirects evaluate this file, so it is small.

/** Chrome, Firefox and Edge on an iPad ask for desktop sites as a Mac. iPhones do that only if their owner asks for it. */
const IPAD_AS_MAC = "Macintosh.*\\b(?:(?:Cr|Fx|Edg)iOS|GSA|Mobile)\\/";

/** Tablets that are recognised by their name. */
const TABLETS = new RegExp(
  `\\b(?:iPad|Kindle|PlayBook|Opera Tablet|Nexus (?:7|9|10))\\b|\\bSilk\\/(?!.*\\bMobile\\b)|${IPAD_AS_MAC}`,
  "i",
);

/** iPhones, foldable phones, whose browsers ask for desktop sites, an app that asks for them, and phones with older systems. */
const PHONES =
  /\biP(?:hone|od)(?:\b|\d)|\bSM-F[79]\d\d|\bRoblox Android\b|\bMIDP|\bCLDC|\bJ2ME\b|\bBREW\b|\bUP\.Browser|\bObigo|\bTeleca\b|\bWindows CE\b|\bwebOS\/1\./i;

const CONSOLES = /\bplaystation|\bnintendo|\bxbox|\bsteam deck\b|\bouya\b/i;

/** Televisions, their boxes and sticks. The last ones are models: of Fire TV, of televisions by inches, and of boxes. */
const TELEVISIONS =
  /smart-?tv|hbbtv|netcast|\bviera\b|bravia|\broku|crkey|chromecast|web0s|webos\.tv|\bTV\b|^[^)]*[a-z](?<!\bBN|\bB)TV[-\d_ ;)]|nettv|\bdtv|ce-html|vidaa|aquosbrowser|smartcast|\bvizio|freebox|\bSTB|\bset-?top|\bTizen(?!.*Mobile)|\bAFT[A-Z\d]+[ ;)]|\bMi ?BOX|; [\w -]{0,20}BOX[ _;)\d]|\bonn\. (?:4K|Full HD)|; [48]T-[A-Z]|LED\d\d|; [2-9]\d(?!x)[A-Z]{1,4}\d{2}|; (?:TPM\d|QM1\d\dE|BeyondTV|SHIELD Android|X96|H96|T95|MXQ|HK1|A95X|VONTAR|MECOOL|YandexModule)/i;

/** Watches, glasses, cars, smart displays and similar devices. */
const OTHER_DEVICES =
  /\bwatch\b|\bquest|oculus|\btesla\b|qtcarbrowser|\bBYD AUTO\b|\brivian\b|\bVCC;|\bautomotive\b|\bmobile vr\b|SmartSpeaker|^Mozilla\/5\.0 \(Fuchsia\)/i;

/** The kind of device if its name alone tells it. */
export function deviceByName(userAgent: string): "console" | "mobile" | "other" | "tablet" | "tv" | null {
  if (OTHER_DEVICES.test(userAgent)) return "other";
  if (CONSOLES.test(userAgent)) return "console";
  if (TELEVISIONS.test(userAgent)) return "tv";
  if (TABLETS.test(userAgent)) return "tablet";
  return PHONES.test(userAgent) ? "mobile" : null;
}
