import { Mail, RefreshCw, Share2 } from "lucide-react";
import { useState, type ComponentType, type ReactNode } from "react";
import { lazyPart } from "../../lib/lazy-part.ts";
import { cx } from "../../lib/class-names.ts";
import { useShortcut } from "../../lib/shortcuts.ts";
import { texts } from "../../texts/index.ts";
import { IconButton } from "../../ui/button.tsx";
import { LazyDialogs } from "../../ui/lazy-dialogs.tsx";
import { useAnalytics } from "./context.ts";
import { ExportMenu } from "./export-menu.tsx";
import { AddFilter } from "./add-filter.tsx";
import { FilterChips } from "./filter-chips.tsx";
import type { Sums } from "./queries.ts";
import type { Subject } from "./source.ts";
import { RangePicker } from "./range-picker.tsx";
import { ViewsMenu } from "./views-menu.tsx";

const ShareDialog = lazyPart(() => import("./sharing/share-dialog.tsx").then(({ ShareDialog }) => ShareDialog));
const SubscribeDialog = lazyPart(() => import("./subscribe-dialog.tsx").then(({ SubscribeDialog }) => SubscribeDialog));

const analytics = texts.analytics;

/** The period, the filters, and what can be done with the numbers. */
export function Toolbar({
  sums,
  isFetching,
  onRefresh,
}: {
  sums: Sums | undefined;
  isFetching: boolean;
  onRefresh: () => void;
}) {
  const { source } = useAnalytics();
  useShortcut("r", { label: analytics.refresh, group: analytics.group }, onRefresh);
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2 py-2 lg:sticky lg:top-0 lg:z-20 lg:-mx-2 lg:bg-page lg:px-2">
      <RangePicker />
      <AddFilter sums={sums} />
      {source.kind === "account" && <ViewsMenu />}
      <FilterChips />
      <div className="ms-auto flex items-center gap-1">
        <IconButton
          label={analytics.refresh}
          keys="r"
          icon={<RefreshCw size={18} aria-hidden className={cx(isFetching && "animate-pulse-soft")} />}
          onClick={onRefresh}
        />
        <ExportMenu sums={sums} />
        {source.kind !== "shared" && (
          <>
            <DialogButton
              label={texts.mailReports.send}
              icon={<Mail size={18} aria-hidden />}
              subject={source}
              dialog={SubscribeDialog}
            />
            <DialogButton
              label={texts.shared.share}
              icon={<Share2 size={18} aria-hidden />}
              subject={source}
              dialog={ShareDialog}
            />
          </>
        )}
      </div>
    </div>
  );
}

/** Opens a dialog about whose clicks are shown. */
function DialogButton({
  label,
  icon,
  subject,
  dialog: Dialog,
}: {
  label: string;
  icon: ReactNode;
  subject: Subject;
  dialog: ComponentType<{ subject: Subject; onClose: () => void }>;
}) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <IconButton label={label} icon={icon} onClick={() => setOpen(true)} />
      <LazyDialogs onFail={close}>{isOpen && <Dialog subject={subject} onClose={close} />}</LazyDialogs>
    </>
  );
}
