// All texts of the pages in Spanish, a file for each part of them.

export { admin } from "./es/admin.ts";
export { analytics } from "./es/analytics.ts";
export { apps } from "./es/apps.ts";
export { authorize } from "./es/authorize.ts";
export { docs } from "./es/docs.ts";
export { domains } from "./es/domains.ts";
export { editor } from "./es/editor.ts";
export { errors } from "./es/errors.ts";
export { exporting } from "./es/exporting.ts";
export { home } from "./es/home.ts";
export { importing } from "./es/importing.ts";
export { keys } from "./es/keys.ts";
export { linkDetails } from "./es/link-details.ts";
export { linkList } from "./es/link-list.ts";
export { moving } from "./es/moving.ts";
export { person } from "./es/person.ts";
export { qr } from "./es/qr.ts";
export { savedViews } from "./es/saved-views.ts";
export { settings } from "./es/settings.ts";
export { shared } from "./es/shared.ts";
export { shell } from "./es/shell.ts";
export { signIn } from "./es/sign-in.ts";
export { tagList } from "./es/tag-list.ts";
export { team } from "./es/team.ts";
export { ui } from "./es/ui.ts";
export { webhooks } from "./es/webhooks.ts";
