import { MAX_USER_AGENT_CHARS } from "../../limits.ts";
import { hasCrawlerName, hasSiteName } from "./crawler-names.ts";
import { libraryOf } from "./libraries.ts";
import { isPreviewFetcher } from "./preview-fetchers.ts";

// A crawler is recognised by what only crawlers say. All others are people and their programs, also unknown ones: a
// click that is missing is worse than one too many.

/** Words that crawlers use for themselves, in any user agent. "Cubot" makes phones. */
const WORDS =
  /(?<!cu)bots?(?![a-z])|\brobots?\b|crawl|spider(?!-?man|s? ?solitaire|oak|monkey)|scrap(?:er|ing|y\b)|slurp|archiver|fetcher|favicon|\d subscribers?\b/i;

/** The site of a crawler's operator. Only libraries say that of themselves too. */
const OPERATOR = /\+ ?(?:https?:|www\.|[a-z0-9-]+\.[a-z]{2,6}\b)/i;

/** A URL or an e-mail address. */
const CONTACT = /https?:\/\/|\bwww\.|\w@[a-z][\w-]*\.|\bat\)?[a-z]+\.com|\[at\]/i;

/** A domain name that is not the name of an app's package, such as "com.example". */
const DOMAIN =
  /(?:^|[ ;+(])(?!translate\.|com\.|org\.|net\.|io\.|de\.|asp\.|system\.)[a-z\d][\w-]*(?:\.[\w-]+)?\.(?:com|net|org|io|de|ai|eu|nu|co)(?![\w.-])/i;

/** What crawlers do. Apps have such words in their names too. */
const ACTIVITIES =
  /monitor|uptime|archive|\bscan|scan(?:ner|ning|)\b|check(?:er|link|s|_\w+|)\b|valid|audit|analy[sz]er|index(?:er|ing)|feed|\brss|rss\b|screenshot|screen service|thumbnail|harvest|extract|survey|research|synthetic|health-?check|metadata|preview|link-?expand|unfurl|resolver|sitemap|(?:blog|image|job|product|vietnamese|web) ?search|search ?engine|retriev|discovery/i;

/** Apps and browsers on phones, tablets and televisions, desktop apps, and Internet Explorer, whose toolbars name sites. */
const APP =
  /\bMobile\b|; wv\)|\bAndroid\b|\biP(?:hone|ad|od)|CFNetwork|Electron\/|\bTV\b|SmartTV|MSIE \d.*(?:\.NET CLR|EmbeddedWB|Trident)/;

/**
 * Whether the user agent is a crawler, a link preview or a monitor, whose visits are no clicks. An empty one counts as a
 * crawler.
 */
export function isCrawler(userAgent: string): boolean {
  const text = userAgent.slice(0, MAX_USER_AGENT_CHARS);
  // A preview fetcher may get a preview in place of the destination, so its visit must never count.
  if (text === "" || isPreviewFetcher(text)) return true;
  if (WORDS.test(text) || hasCrawlerName(text)) return true;
  if (libraryOf(text) !== null) return ACTIVITIES.test(text);
  if (OPERATOR.test(text)) return true;
  return !APP.test(text) && (CONTACT.test(text) || hasSiteName(text) || ACTIVITIES.test(text) || DOMAIN.test(text));
}
