// Clicks with realistic variety: a few values are frequent and many are rare.

const skewed = (count, skew = 3) => Math.floor(count * Math.random() ** skew);
const letter = (n) => String.fromCharCode(65 + (n % 26));

const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS #18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)";
const WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)";
const WEBKIT = "AppleWebKit/605.1.15 (KHTML, like Gecko)";
/** The most frequent first. # stands for a version, #18 for one below 18. */
const AGENTS = [
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/#.0.0.0 Mobile Safari/537.36",
  `${IPHONE} Version/#18.1 Mobile/15E148 Safari/604.1`,
  `${WINDOWS} Chrome/#.0.0.0 Safari/537.36`,
  `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Version/#18.1 Safari/605.1.15`,
  `${WINDOWS} Chrome/#.0.0.0 Safari/537.36 Edg/#.0.0.0`,
  "Mozilla/5.0 (X11; Linux x86_64; rv:#.0) Gecko/20100101 Firefox/#.0",
  `${IPHONE} Mobile/15E148 Instagram #.0`,
  `Mozilla/5.0 (iPad; CPU OS #18_1 like Mac OS X) ${WEBKIT} Version/#18.1 Mobile/15E148 Safari/604.1`,
  "Mozilla/5.0 (Linux; Android 14; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/#30.0 Chrome/#.0.0.0 Mobile Safari/537.36",
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  "curl/8.#15.0",
];

function randomAgent() {
  const version = 141 - skewed(40, 4);
  const agent = AGENTS[skewed(AGENTS.length, 2)];
  return agent.replace(/#(\d*)/g, (_, below) => (below === "" ? version : version % Number(below)));
}

const DESTINATION = "https://www.shop.example/catalogue?utm_source=newsletter&utm_medium=email";

export function randomClick(at, accountId, linkId, userAgent = randomAgent()) {
  const city = skewed(3_000);
  const visitor = skewed(500_000, 2);
  return [
    at,
    linkId,
    accountId,
    { location: DESTINATION },
    `2001:db8:${(visitor >> 16).toString(16)}:${(visitor & 65_535).toString(16)}::1`,
    userAgent,
    Math.random() < 0.4 ? "" : `https://www.referrer-${skewed(400, 4)}.example`,
    letter(city % 11) + letter(city % 7),
    `${letter(city)}${letter(city % 5)}`,
    `City of ${letter(city)}${city}`,
    ["EU", "NA", "AS", "SA", "AF", "OC"][city % 6],
    Math.random() < 0.03 ? 1 : 0,
  ];
}
