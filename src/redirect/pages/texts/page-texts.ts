/** The pages that say why there is no redirect. */
export type ErrorName =
  | "not_found"
  | "not_started"
  /** The link has ended: it is expired, disabled, or without visits left. */
  | "gone"
  | "blocked"
  | "blocked_by_law"
  | "method_not_allowed"
  | "internal"
  | "unavailable"
  | "password_required"
  | "wrong_password"
  | "rate_limited"
  | "too_many_unknown"
  | "no_password"
  | "unsupported_media_type"
  | "invalid_request"
  | "payload_too_large";

/** The words of the pages that visitors of short links see, in one language. */
export interface PageTexts {
  /** `{wait}` stands for a duration, `{bytes}` for a number. */
  errors: Record<ErrorName, { title: string; text: string }>;
  /** Below `unavailable`, on a page that loads itself again. */
  retrying: string;
  root: { title: string; text: string };
  /** `{host}` stands for the host of the page. */
  ownVisits: { title: string; counted: string; uncounted: string; leaveOut: string; count: string };
  password: { label: string; submit: string; back: string };
  /** The link to the form for reports. */
  report: string;
  app: { title: string; text: string; open: string; stay: string };
  destination: {
    title: string;
    hidden: string;
    /** Before the URL of an app. */
    app: string;
    ended: string;
    varies: string;
    follow: string;
    /** `{name}` stands for a host name in Punycode, `{unicode}` for the same name in Unicode. */
    unicode: string;
  };
  /** Why visitors see a destination first. `title` is for all but `pending`, whose destination nobody has checked yet. */
  /** `advisory` leads to the provider whose warning it is, and `uncertain` follows it. */
  verdict: Record<
    | "title"
    | "pending"
    | "phishing"
    | "malware"
    | "spam"
    | "lookalike"
    | "shortener"
    | "other"
    | "advisory"
    | "uncertain",
    string
  >;
}
