import type { ReactNode } from "react";
import { foreignText } from "#src/platform/lib/foreign-text.ts";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { OpenLayout } from "../../ui/open-layout.tsx";
import { isSafeTarget, leaveTo } from "./leave.ts";
import { placeOfUri } from "./places.ts";

const { refused } = texts.authorize;

const MAX_DETAIL_CHARS = 300;

interface RefusedPageProps {
  /** Whether the service cannot tell which app asks. */
  isUnknown: boolean;
  /** The error's code of OAuth or of the API. */
  code: string;
  /** What is wrong, for programmers. It may be anybody's text: it stands in the address. */
  detail: string | null;
  /** Where the app gets the error. */
  redirectUri?: string | null;
  /** What else the person can do. */
  children?: ReactNode;
}

/** Says that a request of an app cannot be answered. */
export function RefusedPage({ isUnknown, code, detail, redirectUri = null, children }: RefusedPageProps) {
  return (
    <OpenLayout title={refused.title} lead={isUnknown ? refused.unknown : refused.request}>
      <p className="text-soft">{refused.advice}</p>
      {children}
      {redirectUri !== null && isSafeTarget(redirectUri) && (
        <Button onClick={() => leaveTo(redirectUri)}>{refused.back(placeOfUri(redirectUri))}</Button>
      )}
      {detail !== null && (
        <details className="text-sm text-soft">
          <summary>{refused.details}</summary>
          <p dir="auto" className="mt-1.5 font-mono [overflow-wrap:anywhere]">
            {foreignText(`${code}: ${detail}`, MAX_DETAIL_CHARS)}
          </p>
        </details>
      )}
    </OpenLayout>
  );
}
