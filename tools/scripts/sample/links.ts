import type { Utm } from "../../../src/links/fields.ts";
import { CAMPAIGN } from "./story.ts";

/** Where the visitors of a link find it. */
export type Channel = "web" | "mail" | "social" | "print";

/** How the clicks of a link change: as many each day, many at first, or more and more until the event. */
type Course = "steady" | "fresh" | "campaign";

export interface SampleLink {
  /** In days. */
  age: number;
  slug: string;
  title: string;
  url: string;
  tags: string[];
  channel: Channel;
  course: Course;
  /** Clicks of a usual day; of `fresh` and `campaign` of the best one. */
  clicks: number;
  /** Whether it is at the custom domain. */
  atDomain?: true;
  utm?: Utm;
  /** In days from now; negative: before. */
  startsIn?: number;
  expiresIn?: number;
  expiredUrl?: string;
  /** All its visits are clicks of the sample. */
  maxClicks?: number;
  disabled?: true;
  ios?: string;
  android?: string;
  geo?: Record<string, string>;
}

const SITE = "https://www.alder.example";
const SHOP = "https://shop.alder.example";
const TICKETS = "https://tickets.example.org/alder";

type Extras = Partial<SampleLink>;

function link(age: number, slug: string, title: string, url: string, tags: string, rest: Rest): SampleLink {
  const [channel, course, clicks, extras = {}] = rest;
  return { age, slug, title, url, tags: tags.split(", "), channel, course, clicks, ...extras };
}

type Rest = [channel: Channel, course: Course, clicks: number, extras?: Extras];

const AT_DOMAIN: Extras = { atDomain: true };

/** A link of the campaign. */
function open(source: string, medium: string, extras: Extras = {}): Extras {
  return { ...extras, utm: { source, medium, campaign: CAMPAIGN } };
}

/** The newest first. */
export const SAMPLE_LINKS: SampleLink[] = [
  link(0.2, "harvest-report", "Harvest report: Huila", `${SITE}/journal/huila`, "guides, social", [
    "social",
    "fresh",
    46,
  ]),
  link(0.8, "winter-roast", "Winter roast, on sale from Friday", `${SHOP}/winter-roast`, "shop, newsletter", [
    "mail",
    "fresh",
    0,
    { ...AT_DOMAIN, startsIn: 3 },
  ]),
  link(1.6, "thank-you", "How was the open day?", "https://forms.example.com/alder/open-day", "open day, newsletter", [
    "mail",
    "fresh",
    64,
    open("newsletter", "email"),
  ]),
  link(2.7, "photos", "Photos of the open day", "https://photos.example.net/alder/open-day", "open day, social", [
    "social",
    "fresh",
    88,
    open("instagram", "social", AT_DOMAIN),
  ]),
  link(4.1, "refill", "Refill station: bring your jar", `${SITE}/refill`, "cafés, print", [
    "print",
    "steady",
    17,
    AT_DOMAIN,
  ]),
  link(5.2, "wholesale", "Price list for cafés", `${SITE}/files/wholesale.pdf`, "shop", ["web", "steady", 6]),
  link(8.3, "espresso-class", "Espresso class on Saturday", `${TICKETS}/espresso-class`, "cafés", [
    "web",
    "steady",
    19,
  ]),
  link(9.6, "live", "Live from the roastery", "https://video.example.net/alder/live", "open day, social", [
    "social",
    "campaign",
    95,
    open("youtube", "video", { expiresIn: -2 }),
  ]),
  link(10.4, "first-100", "A tote bag for the first 100", `${SITE}/open-day/tote`, "open day, newsletter", [
    "mail",
    "campaign",
    90,
    open("newsletter", "email", { maxClicks: 100, expiredUrl: `${SITE}/open-day` }),
  ]),
  link(12.1, "radio", "Radio spot", `${SITE}/open-day`, "open day", ["web", "campaign", 24, open("radio", "audio")]),
  link(13.2, "poster", "Poster at the bus stops", `${SITE}/open-day`, "open day, print", [
    "print",
    "campaign",
    104,
    open("poster", "print", AT_DOMAIN),
  ]),
  link(14.4, "beer-mat", "Beer mats in the harbour bars", `${SITE}/open-day`, "open day, print", [
    "print",
    "campaign",
    38,
    open("beer-mat", "print", AT_DOMAIN),
  ]),
  link(15.3, "story", "Instagram story", `${SITE}/open-day`, "open day, social", [
    "social",
    "campaign",
    74,
    open("instagram", "social"),
  ]),
  link(15.4, "post", "Post on LinkedIn", `${SITE}/open-day`, "open day, social", [
    "social",
    "campaign",
    22,
    open("linkedin", "social"),
  ]),
  link(16.2, "newsletter-47", "Newsletter 47: save the date", `${SITE}/open-day`, "open day, newsletter", [
    "mail",
    "fresh",
    120,
    open("newsletter", "email"),
  ]),
  link(17.5, "neighbours", "Bakeries next door", `${SITE}/open-day`, "open day", [
    "web",
    "campaign",
    18,
    open("partners", "referral"),
  ]),
  link(18.3, "programme", "Programme of the open day", `${SITE}/open-day/programme`, "open day", [
    "web",
    "campaign",
    52,
    AT_DOMAIN,
  ]),
  link(20.2, "open-day", "Open day at the roastery", `${TICKETS}/open-day`, "open day", [
    "web",
    "campaign",
    128,
    AT_DOMAIN,
  ]),
  link(22.4, "nyeri", "New in the shop: Nyeri, Kenya", `${SHOP}/nyeri`, "shop", ["social", "fresh", 42]),
  link(24.3, "join-us", "We are looking for a roaster", "https://jobs.example.com/alder/roaster", "press", [
    "social",
    "fresh",
    34,
  ]),
  link(26.1, "get-the-app", "The app with the loyalty card", `${SITE}/app`, "cafés, print", [
    "print",
    "steady",
    22,
    {
      ios: "https://apps.example.com/ios/alder",
      android: "https://apps.example.com/android/alder",
    },
  ]),
  link(28.2, "v60", "Brew guide: V60", `${SITE}/guides/v60`, "guides", ["web", "steady", 24, AT_DOMAIN]),
  link(30.4, "aeropress", "Brew guide: AeroPress", `${SITE}/guides/aeropress`, "guides", [
    "web",
    "steady",
    15,
    AT_DOMAIN,
  ]),
  link(31.3, "newsletter-46", "Newsletter 46: autumn harvest", `${SITE}/journal/harvest`, "newsletter", [
    "mail",
    "fresh",
    96,
  ]),
  link(33.5, "subscribe", "Coffee at your door", `${SHOP}/subscription`, "shop", [
    "web",
    "steady",
    26,
    { geo: { DE: `${SHOP}/de/abo`, SE: `${SHOP}/sv/prenumeration` } },
  ]),
  link(35.2, "menu", "Menu on the tables", `${SITE}/cafes/menu`, "cafés, print", ["print", "steady", 52, AT_DOMAIN]),
  link(36.3, "wifi", "Wi-Fi for guests", `${SITE}/cafes/wifi`, "cafés, print", ["print", "steady", 20, AT_DOMAIN]),
  link(38.4, "feedback", "Tell us how it was", "https://forms.example.com/alder/feedback", "cafés, print", [
    "print",
    "steady",
    4,
  ]),
  link(40.2, "press-kit", "Press kit", `${SITE}/press`, "press", ["web", "steady", 3]),
  link(42.3, "decaf", "Decaf that tastes", `${SHOP}/decaf`, "shop, social", ["social", "fresh", 30]),
  link(44.4, "newsletter-45", "Newsletter 45: a new roaster", `${SITE}/journal/roaster`, "newsletter", [
    "mail",
    "fresh",
    84,
  ]),
  link(46.2, "podcast", "Podcast: from seed to cup", "https://podcast.example.com/seed-to-cup", "press, social", [
    "social",
    "steady",
    14,
  ]),
  link(47.3, "clearance", "Autumn sale", `${SHOP}/sale`, "shop, newsletter", [
    "mail",
    "fresh",
    70,
    { expiresIn: -33, expiredUrl: SHOP },
  ]),
  link(49.4, "tasting", "Tasting on Thursdays", `${TICKETS}/tasting`, "cafés", ["web", "steady", 15]),
  link(50.2, "directions", "The way to the roastery", "https://maps.example.net/alder", "cafés", ["web", "steady", 19]),
  link(51.3, "harbour", "Café at the harbour", `${SITE}/cafes/harbour`, "cafés", ["web", "steady", 12]),
  link(52.4, "north", "Café in the north", `${SITE}/cafes/north`, "cafés", ["web", "steady", 8]),
  link(53.3, "catalogue", "Catalogue of last year", `${SITE}/files/catalogue.pdf`, "shop", [
    "web",
    "steady",
    2,
    { disabled: true },
  ]),
  link(54.3, "bio", "Link in the Instagram profile", SITE, "social", ["social", "steady", 46, AT_DOMAIN]),
  link(55.4, "shop", "Online shop", SHOP, "shop", ["web", "steady", 58, AT_DOMAIN]),
];
