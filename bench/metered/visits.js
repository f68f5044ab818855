// Visits with a variety as in life: a few values are frequent and many are rare.

const skewed = (count, skew = 3) => Math.floor(count * Math.random() ** skew);

const AGENTS = [
  (v) =>
    `Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${v}.0.0.0 Mobile Safari/537.36`,
  (v) =>
    `Mozilla/5.0 (iPhone; CPU iPhone OS ${v % 18}_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${v % 18}.1 Mobile/15E148 Safari/604.1`,
  (v) =>
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${v}.0.0.0 Safari/537.36`,
  (v) =>
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${v % 18}.1 Safari/605.1.15`,
  (v) =>
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${v}.0.0.0 Safari/537.36 Edg/${v}.0.0.0`,
  (v) => `Mozilla/5.0 (X11; Linux x86_64; rv:${v}.0) Gecko/20100101 Firefox/${v}.0`,
  (v) =>
    `Mozilla/5.0 (iPhone; CPU iPhone OS ${v % 18}_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram ${v}.0`,
  (v) =>
    `Mozilla/5.0 (iPad; CPU OS ${v % 18}_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${v % 18}.1 Mobile/15E148 Safari/604.1`,
  (v) =>
    `Mozilla/5.0 (Linux; Android 14; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/${v % 30}.0 Chrome/${v}.0.0.0 Mobile Safari/537.36`,
  () => "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  (v) => `curl/8.${v % 15}.0`,
];
const letter = (n) => String.fromCharCode(65 + (n % 26));

export function makeVisit(at, accountId, linkId) {
  const city = skewed(3_000);
  const country = letter(city % 11) + letter(city % 7);
  const visitor = skewed(500_000, 2);
  const referrer = Math.random() < 0.4 ? "" : `https://www.referrer-${skewed(400, 4)}.example`;
  return [
    at,
    linkId,
    accountId,
    `2001:db8:${(visitor >> 16).toString(16)}:${(visitor & 65_535).toString(16)}::1`,
    AGENTS[skewed(AGENTS.length, 2)](141 - skewed(40, 4)),
    referrer,
    country,
    `${letter(city)}${letter(city % 5)}`,
    `City of ${letter(city)}${city}`,
    ["EU", "NA", "AS", "SA", "AF", "OC"][city % 6],
    Math.random() < 0.03 ? 1 : 0,
  ];
}
