import { docs } from "./en/docs.ts";
import { errors } from "./en/errors.ts";
import { exporting } from "./en/exporting.ts";
import { importing } from "./en/importing.ts";
import { moving } from "./en/moving.ts";
import { shell } from "./en/shell.ts";
import { ui } from "./en/ui.ts";

// All texts of the dashboard. A second language is an object of the same type; a missing text is then a type error.

const en = { docs, errors, exporting, importing, moving, shell, ui };

export type Texts = typeof en;

export const texts: Texts = en;
