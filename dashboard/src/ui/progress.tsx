import { usePageLoading } from "./page-loading.ts";
import { texts } from "../texts/index.ts";

/** A line at the top of the window while code is loading. It appears after a moment. */
export function Progress() {
  return (
    <p role="status" className="fixed inset-x-0 top-0 z-50 h-1 origin-left rtl:origin-right animate-progress bg-accent">
      <span className="sr-only">{texts.ui.loading}</span>
    </p>
  );
}

/** {@link Progress} while the next page is loading. */
export function PageProgress() {
  return usePageLoading() && <Progress />;
}
