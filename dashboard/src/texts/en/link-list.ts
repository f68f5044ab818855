import type { Change } from "../../features/links/changes.ts";
import { formatCount, formatDay } from "../../lib/format.ts";

const links = (count: number): string => (count === 1 ? "1 link" : `${formatCount(count)} links`);
const list = (names: readonly string[]): string => names.map((name) => `“${name}”`).join(", ");

function describe(change: Change, what: string, words: Record<string, string>): string {
  switch (change.kind) {
    case "archive":
      return `${words[change.archived ? "archive" : "unarchive"]} ${what}`;
    case "disable":
      return `${words[change.disabled ? "disable" : "enable"]} ${what}`;
    case "expire":
      if (change.expiresAt === null) return `${words["keep"]} ${what}`;
      return `${words["expire"]} ${what} on ${formatDay(change.expiresAt)}`;
    case "move":
      return `${words["move"]} ${what} to ${change.domain}`;
    case "tag":
      return change.add.length > 0
        ? `${words["tag"]} ${what} with ${list(change.add)}`
        : `${words["untag"]} ${list(change.remove)} from ${what}`;
    case "delete":
    default:
      return `${words["delete"]} ${what}`;
  }
}

const DONE = {
  archive: "Archived",
  unarchive: "Moved out of the archive:",
  disable: "Disabled",
  enable: "Enabled",
  keep: "Removed the expiry of",
  expire: "Set the expiry of",
  move: "Moved",
  tag: "Tagged",
  untag: "Removed",
  delete: "Deleted",
};
const RUNNING = {
  archive: "Archive",
  unarchive: "Unarchive",
  disable: "Disable",
  enable: "Enable",
  keep: "Remove the expiry of",
  expire: "Expire",
  move: "Move",
  tag: "Tag",
  untag: "Remove",
  delete: "Delete",
};

export const linkList = {
  title: "Links",
  /** The links that a change is about. */
  amount: (count: number, isExact = true) => (isExact ? links(count) : "all links that match"),
  search: "Search links",
  clearSearch: "Clear search",
  searchHint: "Type at least 3 characters",
  count: (count: number, isExact: boolean) => (isExact ? links(count) : `more than ${links(count)}`),
  loadingMore: "Loading more links",
  /** The heading of the shortcuts of the list, of its rows and of its selection. */
  shortcuts: "Links",

  columns: {
    label: "Columns",
    link: "Link",
    tags: "Tags",
    clicks: "Clicks",
    lastClickedAt: "Last click",
    createdBy: "Created by",
    createdAt: "Created",
  },
  never: "never",
  creator: {
    key: (name: string) => `Key “${name}”`,
    gone: "a deleted person",
    unknown: "someone else",
    nobody: "nobody known",
  },
  clicks: (count: number) => (count === 1 ? "1 click" : `${formatCount(count)} clicks`),
  /** Clicks that another service counted before the import. */
  importedClicks: (count: number) => `+ ${formatCount(count)} before the import`,
  status: {
    active: "Active",
    scheduled: "Scheduled",
    expired: "Expired",
    disabled: "Disabled",
    deleted: "Deleted",
    archived: "Archived",
    password: "Password",
    rules: "Rules",
    broken: "Broken",
    starts: (when: string) => `Starts ${when}`,
    expires: (when: string) => `Ends ${when}`,
    deletes: (when: string) => `Gone for good ${when}`,
  },
  row: {
    select: (name: string) => `Select ${name}`,
    more: (name: string) => `More for ${name}`,
    copy: "Copy short link",
    copied: (shortUrl: string) => `Copied ${shortUrl}`,
    open: "Details and analytics",
    qr: "QR code",
    edit: "Edit",
    duplicate: "Duplicate",
    archive: "Archive",
    unarchive: "Unarchive",
    disable: "Disable",
    enable: "Enable",
    delete: "Delete",
    restore: "Restore",
    restoreOf: (name: string) => `Restore ${name}`,
    next: "Next link",
    previous: "Previous link",
  },

  filter: {
    label: "Filter",
    tags: "Tags",
    tagMode: "Links with",
    any: "Any of them",
    all: "All of them",
    with: "With",
    without: "Without",
    not: (status: string) => `Not ${status.toLowerCase()}`,
    notTagged: (tag: string) => `Not tag: ${tag}`,
    creator: "Created by",
    is: "Is",
    isNot: "Is not",
    createdBy: (name: string) => `Created by: ${name}`,
    notCreatedBy: (name: string) => `Not created by: ${name}`,
    domain: "Domain",
    status: "Status",
    anyStatus: "All",
    archived: "Archived links",
    exclude: "Hide",
    include: "Show",
    only: "Only",
    created: "Created",
    from: "From",
    to: "Until",
    clear: "Clear filters",
    remove: (name: string) => `Remove filter ${name}`,
    searched: (text: string) => `“${text}”`,
    tagged: (tag: string) => `Tag: ${tag}`,
    atDomain: (domain: string) => `Domain: ${domain}`,
    withStatus: (status: string) => `Status: ${status}`,
    brokenOnly: "Only links whose destination is broken",
    broken: "Broken destination",
    withArchived: { exclude: "", include: "With archived links", only: "Archived links only" },
    createdFrom: (day: string) => `Created from ${day}`,
    createdTo: (day: string) => `Created until ${day}`,
  },
  tagPicker: {
    search: "Find a tag",
    none: "There are no tags yet.",
    noMatch: "No tag begins with that.",
    create: (tag: string) => `Create tag “${tag}”`,
    unknown: (tag: string) => `There is no tag “${tag}”. Choose one from the list, or create it there.`,
  },
  sort: {
    label: "Sort",
    createdAt: { desc: "Newest first", asc: "Oldest first" },
    clicks: { desc: "Most clicks first", asc: "Fewest clicks first" },
    lastClickedAt: { desc: "Clicked most recently", asc: "Clicked least recently" },
  },
  display: {
    label: "Display",
    density: "Rows",
    comfortable: "Comfortable",
    compact: "Compact",
  },

  selection: {
    tooMany: (max: number) => `At most ${links(max)} can be selected one by one`,
    tooManyText: "Narrow the list with a filter, or scroll less far and select all that match.",
    label: "Selected links",
    count: (count: number) => `${formatCount(count)} selected`,
    all: (count: number, isExact: boolean) => (isExact ? `All ${links(count)} that match` : "All links that match"),
    selectAll: (count: number, isExact: boolean) =>
      isExact ? `Select all ${formatCount(count)} that match` : "Select all that match",
    selectLoaded: "Select the links that are loaded",
    clear: "Clear selection",
    tag: "Tag",
    move: "Move",
    expire: "Expire",
    more: "More actions",
  },
  bulk: {
    tagTitle: (what: string) => `Tag ${what}`,
    add: "Add tags",
    remove: "Remove tags",
    moveTitle: (what: string) => `Move ${what} to another domain`,
    moveText: "The short URLs change. The old ones stop working: their visitors get a “not found” page.",
    moveAction: "Move",
    noDomains: "There is no other domain yet. Add one in the settings.",
    expireTitle: (what: string) => `When should ${what} end?`,
    now: "Now",
    later: "At a time",
    never: "Never",
    time: "Date and time",
    expireAction: "Set",
    deleteTitle: (what: string) => `Delete ${what}?`,
    deleteText: "Visitors get a “not found” page within a minute. You can undo this for 7 days.",
    deleteAction: (what: string) => `Delete ${what}`,
  },
  changes: {
    done: (change: Change, count: number) => describe(change, links(count), DONE),
    running: (change: Change, what: string) => describe(change, what, RUNNING),
    restoring: (what: string) => `Restore ${what}`,
    restored: (count: number) => `Restored ${links(count)}`,
    failed: (count: number) => `${links(count)} ${count === 1 ? "was" : "were"} not changed`,
    notStarted: "The change was not started",
    undone: (count: number) => `Undone: ${links(count)} ${count === 1 ? "is" : "are"} as before`,
    nothing: "These links are like that already.",
  },
  jobs: {
    label: "Bulk changes",
    progress: (done: number, total: number) => `${formatCount(done)} of ${formatCount(total)}`,
    reading: "Finding the links …",
    undoing: "Undoing …",
    failed: "Stopped.",
    cancelled: "Cancelled.",
    paused: "Paused.",
    failures: (count: number) => `${links(count)} could not be changed`,
    notUndone: (count: number) => `${links(count)} ${count === 1 ? "stays as it is" : "stay as they are"}`,
    download: "Download the list",
    cancel: "Cancel",
    hide: "Hide",
    deleteAgain: "Delete them again",
  },

  empty: {
    title: "Shorten your first link",
    text: "Paste a long URL. You get a short one, a QR code, and a count of the people who follow it.",
    action: "Create link",
    readOnly: { title: "No links yet", text: "Nobody has created a link in this account yet." },
  },
  noneDeleted: {
    title: "No deleted links",
    text: "Links that are deleted stay here for 7 days with their clicks, and can be restored until then.",
    action: "Show all links",
  },
  noMatch: {
    title: "No link matches",
    text: "Archived links are only found if the filter “Archived links” shows them.",
  },
  start: {
    title: "Getting started",
    done: (done: number, all: number) => `${done} of ${all} done`,
    dismiss: "Hide this list",
    create: "Create your first link",
    click: "Open it once and see the click here",
    domain: "Add your own domain",
    invite: "Invite somebody",
    orKey: "or",
    key: "make an API key",
    isDone: "Done",
  },
};
