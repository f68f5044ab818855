import { errorResponse, FORM_HEADERS, type ErrorContent, type PageRequest } from "../pages/page.ts";

const FORM =
  '<form method="post"><label for="password">Password</label><input id="password" name="password" type="password" required autofocus autocomplete="off" autocapitalize="off" spellcheck="false"><button>Continue</button></form>';

const PAGES: Record<"required" | "wrong", ErrorContent> = {
  required: {
    status: 401,
    code: "password_required",
    title: "This link is password-protected",
    text: "Type the password here. You get it from the person who shared the link.",
    html: FORM,
  },
  wrong: {
    status: 403,
    code: "wrong_password",
    title: "That is not the password",
    text: "Check it, including upper and lower case, and try again.",
    html: FORM.replace("required", 'required aria-invalid="true"'),
  },
};

/** The page that asks for the password. Its form posts to the URL of the page. */
export function passwordPage(incoming: PageRequest, reason: keyof typeof PAGES): Response {
  return errorResponse(incoming, { ...PAGES[reason], headers: FORM_HEADERS });
}
