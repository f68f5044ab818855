/** What mails say of one case before or after the letter, in English. */
export const openings = {
  from: (baseUrl: string) => `This mail is from ${baseUrl}`,
  stop: "Stop these mails",
  invitation: {
    operator: "The operator of this service",
    invites: (from: string, team: string) => `${from} invites you to the team “${team}”.`,
  },
  /** After "because of". */
  reasons: {
    phishing: "phishing",
    malware: "malware",
    spam: "spam",
    child_abuse: "child sexual abuse material",
    illegal: "illegal content",
    legal_order: "a legal order",
    shortener: "another shortener, which hides where it leads",
    lookalike: "an address that looks like that of somebody else",
    policy: "the rules of this service",
  },
  takedown: {
    link: (shown: string) => `The short link ${shown}`,
    account: (shown: string) => `Your account ${shown} with all of its links`,
    domain: (shown: string) => `Your domain ${shown} with all of its links`,
    host: (shown: string) => `Each of your short links that leads to ${shown}`,
    imposed: (what: string, reason: string) => `${what} was taken down because of ${reason}.`,
    reversed: (what: string) => `${what} is no longer taken down.`,
    upheld: (what: string) => `${what} stays taken down.`,
  },
  screening: {
    blocked: "blocked",
    warned: "shown with a warning",
    finding: (host: string, state: string, reason: string, shortUrl: string) =>
      `${host} (${state} because of ${reason}, such as ${shortUrl}`,
    advisory: "Advisory provided by Google, which may be wrong",
    others: (count: number, isAtLeast: boolean) => ` and ${isAtLeast ? "at least " : ""}${count} more hosts`,
    found: (account: string, hosts: string) =>
      `Screening found short links of the account “${account}” that lead to ${hosts}.`,
  },
  broken: {
    one: (account: string, url: string) =>
      `The destination of a short link of the account “${account}” is broken: ${url}.`,
    many: (account: string, count: string, urls: string) =>
      `The destinations of ${count} short links of the account “${account}” are broken: ${urls}.`,
    atLeast: (count: number) => `at least ${count}`,
    others: (count: number) => `${count} more`,
  },
  clicks: {
    all: "all links",
    ofTag: (tag: string) => `the links with the tag “${tag}”`,
    opening: (subject: string, account: string, start: string, end: string, timezone: string) =>
      `Clicks of ${subject} in the account “${account}”, ${start} to ${end} (${timezone})`,
    clicks: "Clicks",
    visitors: "Visitors",
    links: "Links",
    countries: "Countries",
    referrers: "Referrers",
    before: (count: number) => `${count} in the period before`,
    deleted: "a deleted link",
    direct: "direct",
  },
};
