import { refuse, WITH_FORM, type Asked, type Refusal } from "../pages/page.ts";

const FORM =
  '<form method="post"><label for="password">Password</label><input id="password" name="password" type="password" required autofocus autocomplete="off" autocapitalize="off" spellcheck="false"><button>Continue</button></form>';

const ASKED: Record<"required" | "wrong", Refusal> = {
  required: {
    status: 401,
    code: "password_required",
    title: "This link has a password",
    text: "Whoever gave you the link can tell it. Type it here to go on.",
    html: FORM,
  },
  wrong: {
    status: 403,
    code: "wrong_password",
    title: "That is not the password",
    text: "Check it, upper and lower case too, and try again.",
    html: FORM.replace("required", 'required aria-invalid="true"'),
  },
};

/** Asks for the password, for the first time or once more. The form goes to the address that the visitor is at. */
export function passwordPage(incoming: Asked, reason: keyof typeof ASKED): Response {
  return refuse(incoming, { ...ASKED[reason], headers: WITH_FORM });
}
