import { analytics } from "./en/analytics.ts";
import { docs } from "./en/docs.ts";
import { domains } from "./en/domains.ts";
import { editor } from "./en/editor.ts";
import { errors } from "./en/errors.ts";
import { keys } from "./en/keys.ts";
import { linkDetails } from "./en/link-details.ts";
import { linkList } from "./en/link-list.ts";
import { person } from "./en/person.ts";
import { qr } from "./en/qr.ts";
import { settings } from "./en/settings.ts";
import { shared } from "./en/shared.ts";
import { shell } from "./en/shell.ts";
import { signIn } from "./en/sign-in.ts";
import { team } from "./en/team.ts";
import { ui } from "./en/ui.ts";
import { webhooks } from "./en/webhooks.ts";

// All texts of the dashboard. A second language is an object of the same type; a missing text is then a type error.

const en = {
  analytics,
  docs,
  domains,
  editor,
  errors,
  keys,
  linkDetails,
  linkList,
  person,
  qr,
  settings,
  shared,
  shell,
  signIn,
  team,
  ui,
  webhooks,
};

export type Texts = typeof en;

export const texts: Texts = en;
