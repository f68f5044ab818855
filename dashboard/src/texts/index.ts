import { docs } from "./en/docs.ts";
import { errors } from "./en/errors.ts";
import { person } from "./en/person.ts";
import { shell } from "./en/shell.ts";
import { signIn } from "./en/sign-in.ts";
import { ui } from "./en/ui.ts";

// All texts of the dashboard. A second language is an object of the same type; a missing text is then a type error.

const en = { docs, errors, person, shell, signIn, ui };

export type Texts = typeof en;

export const texts: Texts = en;
