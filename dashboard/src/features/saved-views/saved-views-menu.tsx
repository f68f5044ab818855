import { Suspense, useState } from "react";
import { cx } from "../../lib/class-names.ts";
import { lazyPart } from "../../lib/lazy-part.ts";
import { LazyDialogs } from "../../ui/lazy-dialogs.tsx";
import { Skeleton } from "../../ui/layout.tsx";
import type { SavedViewsProps } from "./saved-views.tsx";

const SavedViews = lazyPart(() => import("./saved-views.tsx").then(({ SavedViews }) => SavedViews));

/** {@link SavedViews}, whose code comes after that of the page. The page does without it if the code does not come. */
export function SavedViewsMenu(props: SavedViewsProps) {
  const [hasFailed, setFailed] = useState(false);
  if (hasFailed) return null;
  return (
    <LazyDialogs onFail={() => setFailed(true)}>
      <Suspense fallback={<Skeleton className={cx("w-24", props.isShort === true ? "h-10 max-sm:hidden" : "h-9")} />}>
        <SavedViews {...props} />
      </Suspense>
    </LazyDialogs>
  );
}
