// All texts of the pages in English, a file for each part of them.

export { admin } from "./en/admin.ts";
export { analytics } from "./en/analytics.ts";
export { apps } from "./en/apps.ts";
export { authorize } from "./en/authorize.ts";
export { docs } from "./en/docs.ts";
export { domains } from "./en/domains.ts";
export { editor } from "./en/editor.ts";
export { errors } from "./en/errors.ts";
export { exporting } from "./en/exporting.ts";
export { home } from "./en/home.ts";
export { importing } from "./en/importing.ts";
export { keys } from "./en/keys.ts";
export { linkDetails } from "./en/link-details.ts";
export { linkList } from "./en/link-list.ts";
export { moving } from "./en/moving.ts";
export { person } from "./en/person.ts";
export { qr } from "./en/qr.ts";
export { savedViews } from "./en/saved-views.ts";
export { settings } from "./en/settings.ts";
export { shared } from "./en/shared.ts";
export { shell } from "./en/shell.ts";
export { signIn } from "./en/sign-in.ts";
export { tagList } from "./en/tag-list.ts";
export { team } from "./en/team.ts";
export { ui } from "./en/ui.ts";
export { webhooks } from "./en/webhooks.ts";
