// All texts of the pages in German, a file for each part of them.

export { admin } from "./de/admin.ts";
export { analytics } from "./de/analytics.ts";
export { apps } from "./de/apps.ts";
export { authorize } from "./de/authorize.ts";
export { docs } from "./de/docs.ts";
export { domains } from "./de/domains.ts";
export { editor } from "./de/editor.ts";
export { errors } from "./de/errors.ts";
export { exporting } from "./de/exporting.ts";
export { home } from "./de/home.ts";
export { importing } from "./de/importing.ts";
export { keys } from "./de/keys.ts";
export { linkDetails } from "./de/link-details.ts";
export { linkList } from "./de/link-list.ts";
export { moving } from "./de/moving.ts";
export { person } from "./de/person.ts";
export { qr } from "./de/qr.ts";
export { savedViews } from "./de/saved-views.ts";
export { settings } from "./de/settings.ts";
export { shared } from "./de/shared.ts";
export { shell } from "./de/shell.ts";
export { signIn } from "./de/sign-in.ts";
export { tagList } from "./de/tag-list.ts";
export { team } from "./de/team.ts";
export { ui } from "./de/ui.ts";
export { webhooks } from "./de/webhooks.ts";
