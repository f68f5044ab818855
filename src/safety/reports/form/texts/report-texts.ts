import type { FieldError, ReportReason } from "../form.ts";

/** Why a report was not stored, although its fields are valid. */
export type Failure = "rate_limited" | "unavailable" | "cross_site" | "full" | "network_full" | "payload_too_large";

/** The words of the form for reports and of their receipts, in one language. */
export interface ReportTexts {
  title: string;
  intro: string;
  url: string;
  reason: string;
  /** The first choice, which is none. */
  choose: string;
  reasons: Record<ReportReason, string>;
  details: string;
  name: string;
  email: string;
  /** What happens to name and address. */
  contact: string;
  goodFaith: string;
  submit: string;
  /** Above a form with errors. */
  invalid: string;
  errors: Record<FieldError, string>;
  /** `{wait}` stands for a duration. */
  failures: Record<Failure, string>;
  receipt: {
    title: string;
    /** What the reporter should do with the page. */
    keep: string;
    /** `{date}` stands for the day of the report or of the decision, in UTC. */
    sent: string;
    open: string;
    dismissed: string;
    taken_down: string;
  };
  /** Pages without a report. */
  blocked: { title: string; text: string };
  enough: { title: string; text: string };
  unknown: { title: string; text: string };
}
