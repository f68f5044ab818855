import type { ReportTexts } from "./report-texts.ts";

export const texts: ReportTexts = {
  title: "Report a short link",
  intro: "Tell the people who run this service about a short link that harms others. You need no account.",
  url: "Short link",
  reason: "What is wrong with it?",
  choose: "Choose a reason",
  reasons: {
    phishing: "It imitates another site to get passwords or money",
    malware: "It spreads harmful software",
    spam: "It was sent as spam",
    child_abuse: "It shows the sexual abuse of children",
    illegal: "It is illegal for another reason",
    other: "Something else",
  },
  details: "What did you see? (optional)",
  name: "Your name (optional)",
  email: "Your email address, for questions (optional)",
  contact:
    "Only the people who run this service see your report. It is deleted after a year. Reports of child abuse are stored without name and address.",
  goodFaith: "To the best of my knowledge, this report is true and complete.",
  submit: "Send report",
  invalid: "The report was not sent. Please correct the fields below.",
  errors: {
    missing: "This is missing.",
    too_long: "This is too long.",
    no_link: "There is no short link with this address here. Copy it as you received it.",
    no_email: "This is not an email address.",
    no_good_faith: "Please confirm this.",
  },
  failures: {
    rate_limited: "Too many reports came from your network. Nothing was sent. Try again in {wait}.",
    unavailable: "The report could not be stored. Please send it again in a minute.",
    cross_site: "The form was sent from another page. If you want to send this report, send it from here.",
    full: "Too many reports are waiting for a decision, so this one was not stored. Please try again tomorrow.",
    network_full:
      "Reports from your network are already waiting for a decision, so this one was not stored. Please try again tomorrow, or from another network.",
    payload_too_large: "The form was too large. Nothing was sent.",
  },
  receipt: {
    title: "Your report",
    keep: "Keep the address of this page. It shows you the decision.",
    sent: "Reported on {date}:",
    open: "Nobody has decided about it yet.",
    dismissed: "Decided on {date}: the link was checked, and it stays as it is.",
    taken_down: "Decided on {date}: the link was blocked. Thank you.",
  },
  blocked: { title: "This link is blocked already", text: "Visitors cannot follow it. Thank you for your report." },
  enough: {
    title: "This link was reported already",
    text: "A decision about it is pending. Another report is not needed. Thank you.",
  },
  unknown: {
    title: "There is no such report",
    text: "Check that the address is complete. Reports are deleted a year after they were sent.",
  },
};
