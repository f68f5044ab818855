import { openings } from "./en-openings.ts";

/** What a mail says. */
export interface LetterTexts {
  subject: string;
  paragraphs: string[];
  /** Of its link, if it has one. */
  label?: string;
}

const IGNORE = "If you did not ask for this, you need to do nothing.";
const NOT_YOU = "If this was not you, set a new password at once and end the sessions that you do not know.";
const SET_PASSWORD = "Set a new password";
const UNDO_FACTOR =
  "If this was not you, open the link. It removes the second factors and recovery codes that were added since, ends all sessions, and the current password stops working. You get another mail to set a new one. The link works once, for 7 days.";

const notice = (subject: string, ...paragraphs: string[]): LetterTexts => ({ subject, paragraphs });

/** The mails by kind. */
const letters = {
  verify_email: {
    subject: "Verify your address",
    paragraphs: ["Somebody, probably you, signed up with this address.", "The link works once, for 24 hours.", IGNORE],
    label: "Verify the address",
  },
  account_exists: notice(
    "You already have an account",
    "Somebody, probably you, signed up with this address, which already has an account. Nothing was changed.",
    "Sign in, or set a new password if you have forgotten it.",
  ),
  reset_password: {
    subject: "Set a new password",
    paragraphs: ["Somebody, probably you, wants to set a new password.", "The link works once, for an hour.", IGNORE],
    label: SET_PASSWORD,
  },
  password_changed: notice("Your password was changed", "The password of your account was changed.", NOT_YOU),
  confirm_email: {
    subject: "Confirm your new address",
    paragraphs: [
      "Somebody, probably you, wants to use this address for an account.",
      "Open the link in the browser in which you are signed in. It works once, for an hour.",
      IGNORE,
    ],
    label: "Confirm the address",
  },
  email_in_use: notice(
    "This address already has an account",
    "Somebody, probably you, wants to use this address for another account. Nothing was changed.",
  ),
  email_change_requested: {
    subject: "Your address is about to change",
    paragraphs: [
      "Somebody, probably you, wants to use another address for your account.",
      "If this was not you, the link keeps this address, ends all sessions and lets you set a new password. It works for 7 days, also after the change.",
    ],
    label: "Keep this address",
  },
  email_changed: notice(
    "Your address was changed",
    "Your account now has another address.",
    "If this was not you, use the link in the mail that announced the change.",
  ),
  email_restored: {
    subject: "Your address was restored",
    paragraphs: [
      "Your account has this address again. All sessions have ended, and the former password no longer works.",
      "Set a new password. The link works once, for an hour.",
    ],
    label: SET_PASSWORD,
  },
  first_totp_added: {
    subject: "An authenticator app was added",
    paragraphs: ["Signing in to your account now needs a code of the app.", UNDO_FACTOR],
    label: "This was not me",
  },
  first_passkey_added: {
    subject: "A passkey was added",
    paragraphs: [
      "Your account has a passkey, which can sign in. Signing in with the password now needs it too.",
      UNDO_FACTOR,
    ],
    label: "This was not me",
  },
  totp_added: notice(
    "An authenticator app was added",
    "Your account has an authenticator app, whose codes are a further second factor.",
    NOT_YOU,
  ),
  totp_removed: notice("The authenticator app was removed", "Its codes no longer work for your account.", NOT_YOU),
  passkey_added: notice("A passkey was added", "Your account has a new passkey, which can sign in.", NOT_YOU),
  passkey_removed: notice("A passkey was removed", "A passkey no longer works for your account.", NOT_YOU),
  recovery_codes_replaced: {
    subject: "You have new recovery codes",
    paragraphs: ["New recovery codes were made for your account. The former ones no longer work.", UNDO_FACTOR],
    label: "This was not me",
  },
  factors_undone: {
    subject: "The new second factors were removed",
    paragraphs: [
      "The second factors and recovery codes that were added to your account lately no longer work. All sessions have ended, and the former password no longer works.",
      "Set a new password. The link works once, for an hour.",
      "Then look at your API keys, webhooks and shared pages: end those that are not yours.",
    ],
    label: SET_PASSWORD,
  },
  recovery_code_used: notice(
    "A recovery code was used",
    "Somebody, probably you, signed in with a recovery code of your account. It does not work again.",
    NOT_YOU,
  ),
  wrong_codes: notice(
    "Somebody has your password",
    "Somebody gave the password of your account, and then several wrong codes. Nobody was signed in.",
    "If this was not you, set a new password at once: somebody else knows the present one.",
  ),
  factors_reset: notice(
    "Your second factors were removed",
    "The operator of the service removed the authenticator app, the passkeys and the recovery codes of your account, ended all sessions and disconnected all apps.",
    "If you did not ask for this, set a new password at once and tell the operator.",
  ),
  reset_link_made: notice(
    "An admin made a link to set a new password for you",
    "Somebody with a higher role in your team made a link with which your password can be changed, within an hour.",
    "If you did not ask for this, set a new password at once, which ends the link, and tell the operator.",
  ),
  sign_in_link_made: notice(
    "The operator made a link to sign in as you",
    "The operator of the service made links with which somebody can sign in as you or set a new password, within an hour. Second factors are still asked for.",
    "If you did not ask for this, set a new password at once, which ends the links, and ask the operator.",
  ),
  app_connected: notice(
    "An app was connected",
    "You connected an app, which can now act for you in an account.",
    "If this was not you, disconnect it in the settings, end the sessions that you do not know, and set a new password.",
  ),
  app_disconnected: notice("An app was disconnected", "An app that you connected can no longer act for you."),
  app_token_reused: notice(
    "Somebody may have copied the tokens of an app",
    "A code or token of an app that you connected was used a second time. Somebody may have a copy, or the app may have lost an answer. So the app was disconnected, and can no longer act for you.",
    "Look for changes that you do not know; an owner or an admin of the account finds them in the audit log. Connect the app again only if you trust the device or service on which it runs.",
  ),
  page_shared: notice(
    "A page was shared",
    "You shared a page with clicks. Everybody who has its URL can open it, until it is deleted.",
    "If this was not you, set a new password in the settings. This also ends all other sessions and, unless you choose otherwise, deletes the pages that you shared.",
  ),
  key_created: notice("An API key was created", "You created an API key.", NOT_YOU),
  key_revoked: notice("An API key was revoked", "You revoked an API key.", NOT_YOU),
  key_changed: notice("An API key was changed", "You changed an API key.", NOT_YOU),
  export_started: notice(
    "An export was started",
    "You asked for a file with all data of an account. Owners of the account can download it for 7 days.",
    NOT_YOU,
  ),
  taken_down: notice(
    "Something of yours was taken down",
    "The operator of the service decided this. Visitors of the links see a neutral page. Your data is kept.",
    "If you think that this is a mistake, sign in and appeal: in the settings of the account, under Takedowns.",
  ),
  takedown_reversed: notice(
    "A takedown was reversed",
    "The operator of the service decided this. The links work again within a minute.",
  ),
  appeal_decided: notice("Your appeal was decided", "An operator of the service read it and decided."),
  reports_wait: notice(
    "Reports wait for a decision",
    "Visitors reported links, or owners appealed against takedowns. They are on the page /app/admin.",
    "There is at most one such mail an hour.",
  ),
  reports_fill: notice(
    "Reports fill half of their room",
    "Half of the reports that there is room for wait for a decision. Until they are decided, a further one is stored only if no other one of the same link or from the same network waits.",
    "Decide them on the page /app/admin. You can dismiss many at once, and a takedown of an account, a domain or a host decides the reports of all of its links.",
    "There is at most one such mail an hour.",
  ),
  links_screened: notice(
    "Links of yours are blocked or shown with a warning",
    "This was decided automatically, by lists and providers that the operator of the service has chosen. Visitors of a blocked link see a neutral page. Visitors of the others see the destination and a warning first. The page of each link says it.",
    "A link that gets another destination is screened again at once. If you think that this is a mistake, answer this mail with the short URL: the operator can allow a host.",
    "There is at most one such mail an hour, and one a day that names the same host for the same reason.",
  ),
  destinations_broken: notice(
    "Destinations of your links are broken",
    "A page is missing, fails or does not answer, and did so at several visits. Visitors are still redirected there. The list of links on the page /app/links?destination=broken shows all such links: give them another destination, or disable them.",
    "There is at most one such mail a day. An owner can switch these mails off in the settings of the account, under General.",
  ),
  weekly_report: notice("Your weekly report of clicks", "You asked for this report, as a member of the account."),
  monthly_report: notice("Your monthly report of clicks", "You asked for this report, as a member of the account."),
  operator_added: notice(
    "You are an operator",
    "You can now take down links, accounts and domains of the service, with a second factor. The page is /app/admin.",
    "If you do not expect this, tell whoever runs the service.",
  ),
  operator_removed: notice("You are no operator any more", "You can no longer act for the service."),
  role_changed: notice("Your role was changed", "You have another role in a team. Sign in to see it."),
  membership_ended: notice("You left a team", "You are no longer a member of a team."),
  account_deleted: notice(
    "Your account is deleted",
    "You deleted your account. Its links and API keys have stopped, and all sessions have ended.",
    "In 7 days everything in it is gone. Until then you can sign in and restore it.",
    "If this was not you, sign in, restore the account, and set a new password at once.",
  ),
  account_restored: notice("Your account is restored", "Your account is as it was before you deleted it.", NOT_YOU),
  team_deleted: notice(
    "A team is deleted",
    "A team that you own was deleted. Its links and API keys have stopped.",
    "In 7 days everything in it is gone. Until then an owner can restore it.",
  ),
  team_restored: notice("A team is restored", "A deleted team that you own is as it was before."),
  invitation: {
    subject: "You are invited",
    paragraphs: [
      "The link opens the invitation. Then you sign in with this address, or sign up with it.",
      "It works once, for 7 days.",
      "If you do not expect this, you need to do nothing.",
    ],
    label: "Open the invitation",
  },
} satisfies Record<string, LetterTexts>;

/** What the mails say in English. Those of other languages have the same form. */
export const texts = {
  letters: letters as Record<keyof typeof letters, LetterTexts>,
  ...openings,
};

export type MailTexts = typeof texts;
