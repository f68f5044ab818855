import { errorPage } from "../pages/error-page.ts";
import type { PageRequest } from "../pages/page.ts";
import type { PageTexts } from "../pages/texts/page-texts.ts";

/** The page that asks for the password. Its form posts to the URL of the page. */
export function passwordPage(incoming: PageRequest, reason: "password_required" | "wrong_password"): Promise<Response> {
  const isWrong = reason === "wrong_password";
  return errorPage(incoming, reason, { hasForm: true, render: (texts) => renderForm(texts, isWrong) });
}

function renderForm({ password }: PageTexts, isWrong: boolean): string {
  const invalid = isWrong ? ' aria-invalid="true"' : "";
  return `<form method="post"><label for="password">${password.label}</label><input id="password" name="password" type="password" dir="auto" required${invalid} autofocus autocomplete="off" autocapitalize="off" spellcheck="false"><button>${password.submit}</button></form>`;
}
