import type { PageTexts } from "./page-texts.ts";

export const texts: PageTexts = {
  errors: {
    not_found: {
      title: "There is no such link",
      text: "Check that the address was copied in full and typed as it was printed.",
    },
    not_started: {
      title: "This link is not active yet",
      text: "Its owner has set a time from which it works. Try again later.",
    },
    gone: {
      title: "This link has ended",
      text: "Its owner ended it, or it was made for a limited time or number of visits. Ask the person who shared it for a new one.",
    },
    blocked: {
      title: "This link is blocked",
      text: "It leads somewhere that this service does not allow. If it is yours, sign in to see the reason.",
    },
    blocked_by_law: { title: "This link is not available", text: "It was blocked because of a legal order." },
    method_not_allowed: {
      title: "This method is not allowed",
      text: "Short links are opened with GET or HEAD.",
    },
    internal: {
      title: "Something went wrong here",
      text: "This is our fault, not the link's. Please try again.",
    },
    unavailable: {
      title: "This link cannot be looked up right now",
      text: "The link is not lost. Please try again in a few seconds.",
    },
    password_required: {
      title: "This link is password-protected",
      text: "Type the password here. You get it from the person who shared the link.",
    },
    wrong_password: {
      title: "That is not the password",
      text: "Check it, including upper and lower case, and try again.",
    },
    rate_limited: { title: "Too many guesses", text: "Try again in {wait}." },
    too_many_unknown: {
      title: "Too many unknown links",
      text: "Too many links that do not exist were requested from your network. Try again in {wait}.",
    },
    no_password: { title: "This link has no password", text: "It takes GET and HEAD requests only." },
    unsupported_media_type: {
      title: "This content type is not supported",
      text: "Send the field password as application/x-www-form-urlencoded.",
    },
    invalid_request: { title: "The form did not arrive whole", text: "Send it again." },
    payload_too_large: {
      title: "This is too long for a password",
      text: "The form can have at most {bytes} bytes.",
    },
  },
  retrying: "This page tries again by itself.",
  root: { title: "Short links", text: "This domain is for short links. Open the complete link that you were given." },
  ownVisits: {
    title: "Visits of this browser",
    counted: "This browser's visits of short links on {host} are counted.",
    uncounted:
      "This browser's visits of short links on {host} are not counted. A cookie keeps this choice for up to 400 days.",
    leaveOut: "Do not count them",
    count: "Count them",
  },
  password: { label: "Password", submit: "Continue", back: "Back to the link" },
  report: "Report abuse",
  app: {
    title: "This link opens an app",
    text: "You can also follow it in the browser.",
    open: "Open in the app",
    stay: "Continue in the browser",
  },
  destination: {
    title: "Where this link leads",
    hidden: "Its destination is shown to visitors with the password only.",
    app: "On this device it tries an app first:",
    ended: "Its owner now sends visitors there.",
    varies: "Other visitors may be sent elsewhere, for example by country or device.",
    follow: "Continue",
    unicode: "In its own letters, {name} is {unicode}.",
  },
  verdict: {
    title: "Be careful with this link",
    pending: "Nobody has checked where this link leads yet. Look at the address before you go on.",
    phishing: "The page may imitate another one to get passwords or card numbers.",
    malware: "The page may install harmful software.",
    spam: "The link was reported as spam.",
    lookalike: "The address looks like that of another site. Read it letter by letter.",
    shortener: "This is another short link, so where it ends cannot be seen here.",
    other: "The page may break the rules of this service.",
    advisory: "Advisory provided by Google",
    uncertain: "A warning may be wrong, and there is none of some harmful pages.",
  },
};
