import { formatCount } from "../../lib/format.ts";
import { importProblems } from "./import-problems.ts";

const links = (count: number) => `${formatCount(count)} ${count === 1 ? "link" : "links"}`;

export const importing = {
  source: {
    label: "Where do your links come from?",
    auto: "Detect automatically",
    csv: "Another file",
    guide: "How to get the file",
    missing: (what: string) => `Not in the file: ${what}.`,
  },
  guides: {
    auto: {
      steps: [
        "Export your links at the other service, as CSV or JSON.",
        "Choose the file. Its columns tell where it comes from.",
      ],
      note: "Choose the service if you want to know where to find the export.",
    },
    bitly: {
      steps: [
        "Export your links at Bitly as CSV.",
        "Keep all columns: the custom back-half becomes the slug, and the Bitlink an alias of it.",
      ],
      missing: "tags and expiry",
      note: "Bitly tells /abc from /ABC. If you bring your own domain, add it as case-sensitive before you import.",
    },
    dub: {
      steps: ["Export your links at Dub as CSV.", "Any choice of columns works."],
      missing: "country and device targeting",
      note: undefined,
    },
    shlink: {
      steps: [
        "Export the short URLs in the web client of Shlink.",
        "A file that was made for Shlink's own importer works too.",
      ],
      missing: "rules",
      note: "Shlink tells /abc from /ABC. If you bring your own domain, add it as case-sensitive before you import.",
    },
    kutt: {
      steps: ["Call GET /api/v2/links of your Kutt with your API key there.", "Save the answer as a JSON file."],
      missing: undefined,
      note: undefined,
    },
    redirection: {
      steps: [
        "Export the redirects on the page Import/Export of the plugin Redirection, as CSV.",
        "Redirects whose source is a regular expression are left out.",
      ],
      missing: undefined,
      note: undefined,
    },
    yourls: {
      steps: [
        "Export the links with the export plugin of YOURLS.",
        "Or export the table of links of its database as CSV.",
      ],
      missing: undefined,
      note: undefined,
    },
    shortio: {
      steps: [
        "Export your links at Short.io as CSV.",
        "Take the list of links: the statistics workbook has no links and is refused.",
      ],
      missing: undefined,
      note: undefined,
    },
    rebrandly: { steps: ["Export your links at Rebrandly as CSV."], missing: undefined, note: undefined },
    sink: {
      steps: ["Export the links in the dashboard of Sink. It gives a JSON file."],
      missing: undefined,
      note: undefined,
    },
    tern: {
      steps: ["Export links as CSV or JSON on the page Export of the other Tern."],
      missing: "clicks and passwords",
      note: undefined,
    },
    csv: {
      steps: [
        "Save any table with a column of destinations as CSV, in Excel also as “Unicode text”, or a list of objects as JSON.",
        "The first line names the columns. You choose what each one is in the next step.",
      ],
      missing: undefined,
      note: undefined,
    },
  },
  drop: {
    label: "File with links",
    title: "Drop the file here",
    choose: "Choose a file",
    limits: (megabytes: string, rows: number) =>
      `CSV or JSON in UTF-8 or UTF-16, up to ${megabytes} and ${links(rows)}. You see everything before it is imported.`,
    tooLarge: (name: string, size: string, most: string) =>
      `${name} has ${size}; a file may have ${most}. Split it into several files.`,
    empty: (name: string) => `${name} is empty. Export it again, and choose the new file.`,
    several: "Only one file at a time. Drop the others after this one.",
  },
  upload: {
    sending: (name: string) => `Uploading ${name}`,
    storing: "Uploaded. The service is storing the file.",
    sent: (done: string, total: string) => `${done} of ${total}`,
    cancel: "Cancel the upload",
    failed: (name: string) => `${name} was not uploaded.`,
    other: "Choose another file",
    limited: (perHour: number, time: string) =>
      `The account has uploaded ${perHour} files in the last hour, which is the maximum. The next one can be uploaded at ${time}.`,
  },
  list: {
    title: "Imports",
    empty: "Imports are listed here for 7 days after they ended.",
    rows: (count: number) => links(count),
  },
  back: "All imports",
  missing: {
    title: "There is no such import",
    text: "Imports are deleted 7 days after they ended, and belong to one account.",
  },
  reading: "Reading the file",
  readingLead: "Nothing is imported yet. You can leave this page; the import stays in the list.",
  running: "Importing",
  runningLead: "You can leave this page; the import goes on.",
  undoing: "Deleting the imported links",
  paused: "Paused",
  preview: {
    lead: (rows: number) => `${links(rows)} in the file. Nothing is imported yet.`,
    about: (created: number, skipped: number, failed: number) => {
      const total = created + skipped + failed;
      if (created === total) return `All ${links(total)} will be imported.`;
      return `About ${formatCount(created)} of ${links(total)} will be imported, ${formatCount(skipped)} left out and ${formatCount(failed)} refused.`;
    },
    checking: "Checking the rows again",
    saving: "Saving what you chose",
    limited: (seconds: number) =>
      `You changed much at once. The rest is saved in ${formatCount(seconds)} seconds; nothing is lost.`,
    notSaved: "What you chose was not saved yet.",
    start: "Start import",
    needsUrl: "Choose the column that has the destinations first.",
  },
  problems: {
    title: "What to know before you start",
    none: "Every row can be imported as it is.",
    lead: "After the import, a CSV file names each of these rows. Correct it and import it again.",
    rows: (count: number) => `${formatCount(count)} ${count === 1 ? "row" : "rows"}`,
    first: (line: number, count: number) =>
      count === 1 ? `line ${formatCount(line)}` : `first in line ${formatCount(line)}`,
    effects: {
      out: "Not imported",
      skipped: "Left out",
      renamed: "Renamed",
      disabled: "Imported disabled",
      moved: "Gets your domain",
      changed: "Imported with a change",
      created: "Created",
    },
    kinds: importProblems,
  },
  choices: {
    title: "How to import",
    taken: "Slug is taken",
    takenOptions: { skip: "Leave out", rename: "Rename" },
    takenHint: "Renamed links get slugs such as sale-2.",
    dead: "Link was deleted or banned there",
    deadOptions: { skip: "Leave out", disable: "Import disabled" },
    deadHint: "Disabled links do not redirect until you enable them.",
    events: "Send the event link.create for each link",
    eventsHint: "Only if a webhook should hear of every imported link.",
    redirect: (status: number) =>
      `Links without a redirect status of their own get ${status}, the default of the account when the file was uploaded.`,
    redirectService:
      "Links without a redirect status of their own get that of the service. To change it, set a default for new links before you upload the file.",
    settings: "Defaults for new links",
  },
  hosts: {
    title: "Domains",
    lead: "Where the links of each old domain go. Your own verified domains keep theirs.",
    targetFor: (host: string) => `Domain for ${host}`,
    default: (domain: string | null) => (domain === null ? "Default domain" : `Default domain (${domain})`),
    own: "Stays",
    skip: "Leave these links out",
    add: "Add a domain",
    addHint: "Is one of these yours? Add and verify it first, and printed short URLs go on working.",
  },
  mapping: {
    title: "Columns",
    lead: "What each column of the file is. Two columns cannot be the same.",
    column: "Column",
    sample: "First rows",
    field: "Is imported as",
    fieldOf: (column: string) => `Field for ${column}`,
    none: "Not imported",
    groups: { main: "Most used", lifetime: "Lifetime", targets: "Targets and preview", other: "Other" },
    fields: {
      url: "Destination",
      shortUrl: "Short URL",
      slug: "Slug",
      domain: "Domain",
      aliasUrl: "Another short URL",
      aliases: "Other slugs",
      title: "Title",
      tags: "Tags",
      createdAt: "Time of creation",
      importedClicks: "Number of clicks",
      startsAt: "Start",
      expiresAt: "End",
      expiredUrl: "Destination after the end",
      maxClicks: "Maximum of clicks",
      archived: "Archived (yes or no)",
      disabled: "Disabled (yes or no)",
      status: "Status in words",
      dead: "Deleted or banned (yes or no)",
      pattern: "Slug is a pattern (yes or no)",
      password: "Has a password",
      ios: "Destination on iPhone and iPad",
      android: "Destination on Android",
      geo: "Destinations by country (JSON)",
      rules: "Rules (JSON)",
      preview: "Preview (JSON)",
      previewTitle: "Title of the preview",
      previewDescription: "Text of the preview",
      previewImage: "Image of the preview",
      redirectStatus: "Redirect status",
      passParameters: "Pass visitors' parameters on (yes or no)",
      externalId: "Your own id",
    },
  },
  result: {
    done: (count: number) => `${links(count)} imported`,
    none: "No link was imported",
    undone: (count: number) => `${links(count)} deleted again`,
    undoneLead: "You can restore them for 7 days, in the list of links.",
    cancelled: "The import was cancelled.",
    discarded: "The import was discarded. Nothing was imported.",
    failed: "The import failed.",
    failedHint: "Correct the file and upload it again.",
    failures: "Some rows were not imported, or not as they were. Correct the list and import it again.",
    toLinks: "Show the links",
    again: "Import another file",
  },
};
