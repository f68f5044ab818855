import type { VerdictReason } from "../safety/verdict.ts";

const REASONS: Record<VerdictReason, string> = {
  phishing: "phishing",
  malware: "malware",
  spam: "spam",
  child_abuse: "child sexual abuse material",
  illegal: "illegal content",
  legal_order: "a legal order",
  shortener: "another shortener, which hides where it leads",
  lookalike: "an address that looks like that of somebody else",
  policy: "the rules of this service",
};

/** The reason of a verdict for the mails to owners, after "because of". */
export function describeReason(reason: VerdictReason | null): string {
  return REASONS[reason ?? "policy"];
}
