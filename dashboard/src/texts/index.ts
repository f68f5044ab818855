import { analytics } from "./en/analytics.ts";
import { errors } from "./en/errors.ts";
import { shared } from "./en/shared.ts";
import { shell } from "./en/shell.ts";
import { ui } from "./en/ui.ts";

// All texts of the dashboard. A second language is an object of the same type; a missing text is then a type error.

const en = { analytics, errors, shared, shell, ui };

export type Texts = typeof en;

export const texts: Texts = en;
