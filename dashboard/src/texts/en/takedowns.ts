/** What operators took down, for the owners of accounts and for the console of operators. */
export const takedowns = {
  kinds: { link: "Link", account: "Account", domain: "Domain", host: "All links to a host" },
  reasons: {
    phishing: "Phishing",
    malware: "Malware",
    spam: "Spam",
    child_abuse: "Child abuse",
    illegal: "Illegal",
    policy: "Rules of this service",
    other: "Something else",
  },
  legalOrder: "Legal order",
  inForce: "In force",
  reversed: "Reversed",
  lead: "What operators of the service took down of this account, and your appeals.",
  empty: {
    title: "Nothing was taken down",
    text: "If an operator takes something down, it is listed here with the reason.",
  },
  appeal: "Appeal…",
  title: (name: string) => `Appeal against the takedown of ${name}`,
  statement: "Why is it a mistake?",
  hint: "An operator reads it and decides. You can appeal once, and get the decision by mail.",
  action: "Send appeal",
  sent: "Appeal sent",
  yours: "You said",
  waiting: "Nobody has decided yet.",
  decisions: {
    upheld: "Decided: it stays taken down.",
    reversed: "Decided: it is no longer taken down.",
  },
};
