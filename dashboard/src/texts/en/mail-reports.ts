export const mailReports = {
  send: "Send as report",
  all: "All links",
  ofTag: (tag: string) => `Links with the tag “${tag}”`,
  schedule: {
    label: "How often",
    weekly: "Every Monday, of the week before",
    monthly: "On the first day of a month, of the month before",
    hint: "At 07:00 in the time zone below.",
    next: (when: string) => `The next one comes on ${when}.`,
  },
  subscribe: {
    title: "Get clicks by mail",
    ofLink: (link: string) => `Get the clicks of ${link} by mail`,
    lead: (email: string) =>
      `${email} gets a mail with clicks and visitors, their change, and the most frequent links, countries and referrers. Other filters of the page do not count.`,
    links: "Links",
    action: "Send to me",
    created: "You get this report by mail.",
    list: "All reports that you get of this account",
  },
  settings: {
    lead: "The clicks of this account, sent to you by mail. Others do not see your reports. Each mail has a link that stops it.",
    create: "Choose in the analytics",
    empty: {
      title: "You get no reports by mail",
      text: "Open the analytics of the account or of a link, and choose “Send as report”.",
    },
    link: "A link",
    change: (name: string) => `Change the report: ${name}`,
    changed: (name: string) => `Report changed: ${name}.`,
    stop: "Stop",
    stopped: (name: string) => `Report stopped: ${name}`,
  },
};
