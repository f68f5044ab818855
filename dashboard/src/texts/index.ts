import { editor } from "./en/editor.ts";
import { errors } from "./en/errors.ts";
import { linkDetails } from "./en/link-details.ts";
import { linkList } from "./en/link-list.ts";
import { qr } from "./en/qr.ts";
import { shell } from "./en/shell.ts";
import { ui } from "./en/ui.ts";

// All texts of the dashboard. A second language is an object of the same type; a missing text is then a type error.

const en = { editor, errors, linkDetails, linkList, qr, shell, ui };

export type Texts = typeof en;

export const texts: Texts = en;
