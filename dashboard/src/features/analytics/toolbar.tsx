import { Download, Ellipsis, Mail, RefreshCw, Share2 } from "lucide-react";
import { useState } from "react";
import { lazyPart } from "../../lib/lazy-part.ts";
import { cx } from "../../lib/class-names.ts";
import { NARROW, useMedia } from "../../lib/media.ts";
import { useShortcut } from "../../lib/shortcuts.ts";
import { texts } from "../../texts/index.ts";
import { IconButton } from "../../ui/button.tsx";
import { LazyDialogs } from "../../ui/lazy-dialogs.tsx";
import { Menu, MenuItem, MenuLabel } from "../../ui/menu.tsx";
import { useAnalytics } from "./context.ts";
import { ExportItems } from "./export-items.tsx";
import { AddFilter } from "./add-filter.tsx";
import { FilterChips } from "./filter-chips.tsx";
import type { Sums } from "./queries.ts";
import { RangePicker } from "./range-picker.tsx";
import { ViewsMenu } from "./views-menu.tsx";

const ShareDialog = lazyPart(() => import("./sharing/share-dialog.tsx").then(({ ShareDialog }) => ShareDialog));
const SubscribeDialog = lazyPart(() => import("./subscribe-dialog.tsx").then(({ SubscribeDialog }) => SubscribeDialog));

const analytics = texts.analytics;

interface ToolbarProps {
  sums: Sums | undefined;
  isFetching: boolean;
  onRefresh: () => void;
}

/** The period, the filters, and what can be done with the numbers. On phones, the filters in effect are a second line. */
export function Toolbar({ sums, isFetching, onRefresh }: ToolbarProps) {
  const { source } = useAnalytics();
  const isNarrow = useMedia(NARROW);
  const [opened, setOpened] = useState<Opened>(null);
  const close = () => setOpened(null);
  useShortcut("r", { label: analytics.refresh, group: analytics.group }, onRefresh);
  const actions = { sums, isFetching, onRefresh, onOpen: setOpened };
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2 py-2 lg:sticky lg:top-0 lg:z-20 lg:-mx-2 lg:bg-page lg:px-2">
      <div className={isNarrow ? "flex w-full items-center gap-2" : "contents"}>
        <RangePicker />
        <AddFilter sums={sums} />
        {source.kind === "account" && <ViewsMenu />}
        {isNarrow && <ActionMenu {...actions} />}
      </div>
      <FilterChips />
      {!isNarrow && <ActionButtons {...actions} />}
      {source.kind !== "shared" && (
        <LazyDialogs onFail={close}>
          {opened === "report" && <SubscribeDialog subject={source} onClose={close} />}
          {opened === "share" && <ShareDialog subject={source} onClose={close} />}
        </LazyDialogs>
      )}
    </div>
  );
}

type Opened = "report" | "share" | null;

interface ActionsProps extends ToolbarProps {
  onOpen: (opened: Opened) => void;
}

/** What is done rarely. */
function ActionButtons({ sums, isFetching, onRefresh, onOpen }: ActionsProps) {
  const { source } = useAnalytics();
  return (
    <div className="ms-auto flex items-center gap-1">
      <IconButton
        label={analytics.refresh}
        keys="r"
        icon={<RefreshCw size={18} aria-hidden className={cx(isFetching && "animate-pulse-soft")} />}
        onClick={onRefresh}
      />
      <Menu trigger={<IconButton label={analytics.export.label} icon={<Download size={18} aria-hidden />} />}>
        <ExportItems sums={sums} />
      </Menu>
      {source.kind !== "shared" && (
        <>
          <IconButton
            label={texts.mailReports.send}
            icon={<Mail size={18} aria-hidden />}
            onClick={() => onOpen("report")}
          />
          <IconButton
            label={texts.shared.share}
            icon={<Share2 size={18} aria-hidden />}
            onClick={() => onOpen("share")}
          />
        </>
      )}
    </div>
  );
}

/** The same where the buttons would be a line of their own. */
function ActionMenu({ sums, isFetching, onRefresh, onOpen }: ActionsProps) {
  const { source } = useAnalytics();
  const icon = <Ellipsis size={18} aria-hidden className={cx(isFetching && "animate-pulse-soft")} />;
  return (
    <Menu trigger={<IconButton label={analytics.more} icon={icon} className="ms-auto" />}>
      <MenuItem icon={<RefreshCw size={16} aria-hidden />} keys="r" onSelect={onRefresh}>
        {analytics.refresh}
      </MenuItem>
      {source.kind !== "shared" && (
        <>
          <MenuItem icon={<Mail size={16} aria-hidden />} onSelect={() => onOpen("report")}>
            {texts.mailReports.send}
          </MenuItem>
          <MenuItem icon={<Share2 size={16} aria-hidden />} onSelect={() => onOpen("share")}>
            {texts.shared.share}
          </MenuItem>
        </>
      )}
      <MenuLabel>{analytics.export.label}</MenuLabel>
      <ExportItems sums={sums} />
    </Menu>
  );
}
