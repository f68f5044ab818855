import type { RefusalTexts } from "../../api/fault-texts.ts";
import { formatCount, formatSize } from "../../lib/format.ts";
import { resources } from "./resources.ts";

/** Why a request was refused as a whole. Fields in the values have their names in words. */
export const refusals = {
  // Anything
  not_found: ({ resource }) => `There is no such ${resources[resource][0]}, or no longer.`,
  of_another_account: ({ resource }) =>
    `This ${resources[resource][0]} belongs to another account. Change to that account first.`,
  limit_reached: ({ resource, max }) =>
    `There are ${formatCount(max)} ${resources[resource][1]} already, which is the maximum. ${resources[resource][2] ?? "Remove one first."}`,
  too_many_running: ({ resource, max }) =>
    `There are ${formatCount(max)} ${resources[resource][1]} running, which is the maximum. ${resources[resource][2] ?? "Wait until one of them has ended."}`,
  changed_meanwhile: ({ resource }) =>
    `Another request has just changed this ${resources[resource][0]}. Nothing was done. Reload the page, and try again.`,
  changed_since_read: ({ resource }) =>
    `Somebody else has changed this ${resources[resource][0]} in the meantime. Reload the page, and do it again.`,
  changed_since_job: "The link was changed after the job, so it was not undone.",
  access_changed: ({ resource }) =>
    `Your access has just changed (${resources[resource][0]}). Nothing was done. Reload the page.`,
  exists: ({ resource, value }) =>
    `This ${resources[resource][0]} exists already${value === undefined ? "" : `: ${value}`}.`,
  taken: ({ field, value }) => `The ${field} ${value} is taken. Choose another one.`,
  wrong_state: ({ resource }) => `This is not possible in the present state of the ${resources[resource][0]}.`,
  decided_already: ({ resource }) => `The ${resources[resource][0]} is decided already.`,

  // Too many calls: the wait follows
  too_many_attempts: "There were too many wrong attempts.",
  too_many_started: ({ resource, max }) =>
    `The maximum of ${formatCount(max)} an hour is reached (${resources[resource][1]}).`,
  too_many_uploads: ({ max }) => `The maximum of ${formatCount(max)} uploaded files an hour is reached.`,
  csv_is_being_written: "Another CSV file of this account is being written. Only one is written at a time.",
  too_many_viewers: "Too many people are looking at the shared pages of this account.",
  too_many_invitations: "This address has had several invitations lately.",
  too_many_mails: "This service sends too many mails at the moment. No mail was sent.",
  too_many_reset_links: ({ max }) =>
    `This person got ${formatCount(max)} such links in the last hour, which is the maximum.`,
  too_many_own_mails: "Your address got too many mails about such changes. Nothing was changed.",

  // What does not work at the moment
  dns_failed: ({ value }) =>
    `The DNS records of ${value} could not be read. Nothing was changed. Check the name servers of the domain, and try again.`,
  free_plan_used_up:
    "Cloudflare's free plan lets this service do no more today. It goes on at 00:00 UTC, or once its operator has the plan Workers Paid.",
  no_mail: "This service cannot send mails yet. Its operator has to set this up.",
  unclaimed: "This installation has no owner yet. Its operator has to claim it first.",
  no_base_url: "Nobody can sign in at this service yet. Its operator has to set this up.",

  // Bodies and URLs
  body_too_large: ({ max }) => `This is larger than ${formatSize(max)}. Shorten it, or divide it into parts.`,
  changes_too_large: ({ max }) => `The changes are larger than ${formatSize(max)}. Shorten them.`,
  link_too_large: ({ max }) => `The link is larger than ${formatSize(max)}. Shorten its texts and rules.`,
  file_too_large: ({ max }) => `The file is larger than ${formatSize(max)}. Split it into several files.`,
  cut_body: "What you sent did not arrive whole. Try again.",
  cut_url: "This URL is not complete. Copy it from the mail again.",

  // Links
  slug_used_again: ({ value }) =>
    `The slug ${value} was used again after the deletion, so this link cannot be restored.`,
  no_free_slug: "No free slug was found. Try again.",
  aliases_of_domain:
    "The link has former slugs, which would end with its domain. Remove them too, or leave the domain as it is.",
  keeps_short_url:
    "This link was made without an account, at a host for such links. Its domain and slug cannot be changed.",
  not_a_link_id: "There is no such link.",
  no_link_at_url: "There is no link with this short URL in this account.",
  too_many_aliases: ({ max }) =>
    `The link has ${formatCount(max)} former slugs, which is the maximum, and this one would be one more. Remove one of them first.`,
  domain_refused: ({ value, suggestion }) =>
    `${value} is not a verified domain of this account. ${suggestion === undefined ? "Add and verify it first." : `Give only the name of the host, such as ${suggestion}.`}`,
  too_many_links: ({ max }) =>
    `The quota of this account is ${formatCount(max)} links. Delete links, or ask the operator of the service for a higher quota.`,
  too_many_link_bytes: ({ days }) =>
    `The links of this account are larger than its quota. Shorten or delete links, or ask the operator of the service for a higher quota. A deleted link counts until its final deletion, ${days} days later.`,
  members_only: "This service shortens URLs only for its users. Sign in.",

  // Domains
  links_use_domain: ({ value }) => `Links still use ${value}. Delete them first.`,
  links_being_deleted: ({ value }) => `The former links of ${value} are still being deleted. Try again in a minute.`,
  case_is_set: ({ value, days }) =>
    `The case sensitivity of ${value} cannot be changed, because this account has links there, or deleted ones that can be restored. Move the links to another domain first. Deleted links no longer count after ${days} days.`,
  case_of_deleted_links: ({ value, days }) =>
    `This account has deleted links at ${value} that can be restored, so the case sensitivity must be as before. They no longer count after ${days} days.`,
  has_nested_slugs: ({ value, days }) =>
    `Slashes in slugs stay permitted at ${value}, because links there have some in their slugs or former slugs, or deleted links that can be restored have. Give the links other slugs and remove such former slugs, or delete the links. Deleted links no longer count after ${days} days.`,
  verified_elsewhere: ({ value }) =>
    `Another account has verified ${value}. Verify again when that account has deleted the domain, or when its TXT record has been missing for a week.`,

  // Keys and webhooks
  expires_after_caller: "A key cannot make or widen a key that expires later than itself. Choose an earlier expiry.",
  key_lacks_maker:
    "The person behind this key may not create keys in this account any more. Another member has to create it.",
  key_of_caller:
    "The calling key is this key or one of its descendants, and would be revoked too. Nothing was revoked. Use another key, or revoke the keys one by one.",
  key_revoked: "This key was revoked, which is final. Create a new one.",
  webhook_inactive: "This webhook is inactive. Activate it first.",
  click_delivered: "This click was delivered. The events of delivered clicks are not kept, so it cannot be sent again.",
  delivery_dropped: "This delivery was dropped, because too many were waiting. Its event is not kept.",
  too_many_secrets: ({ max }) =>
    `This webhook signs with ${formatCount(max)} secrets, which is the maximum. Wait until the oldest of them has expired.`,

  // Second factors
  team_needs_factor: "This team needs a second factor. Add one to your sign-in first.",
  team_needs_proof: "This team needs a second factor. Confirm with the one that you have.",
  operators_need_factor: "Operators need a second factor. Add one to your sign-in first.",
  operators_need_proof: "Operators need a second factor. Confirm with the one that you have.",
  own_factor_first:
    "Add a second factor to your own sign-in, or confirm with the one that you have, before you require it of others.",

  // Accounts, teams, persons
  not_a_member: "You are not a member of this account.",
  account_disabled: "The operator of this service has disabled this account.",
  deletion_has_begun: "The 7 days are over. The account is being deleted for good.",
  only_owner: ({ value }) =>
    `You are the only owner of ${value}. Make another member the owner, or delete the team, and do it again.`,
  last_owner: "A team needs an owner. Make another member the owner first. Nothing was changed.",
  role_too_low: "Your role is too low to give or take this role. Ask an owner of the team.",
  role_not_lower:
    "This service sends no mails, so you would get the link. Your role gets links for lower roles only. The operator of the service can make others.",
  has_more_access:
    "This person can do something that you cannot, or did not come with an invitation to this team. Only the operator of the service can make this link.",
  mail_works: "This service sends mails. The member gets one by “Forgot password?”.",
  ends_own_access: "What you made in the team ends with your role. To keep it, ask another member to make the change.",
  is_member: "A person with this address is a member already.",
  other_address: "This invitation is for another address. Sign in with the address that got the mail.",
  person_deleted: "This person's account is deleted. Name another member.",
  sign_up_closed: "Nobody can sign up at this service. Ask its operator for an account.",
  already_claimed: "This installation has an owner already. Sign in.",
  has_account: "This address has an account already. Sign in with it to join the team.",
  other_person: "Another person asked for this change. Sign in as that person.",
  no_passkey: "You have no passkey. Confirm with something else that you have, such as a code.",
  no_factor: "Recovery codes are for persons with an authenticator app or a passkey. Add one first.",
  wrong_sign_in: "The address or the password is wrong.",
  wrong_own_password: "The password is wrong.",
  wrong_second_factor: "The code is wrong or was used before. An authenticator app shows a new one every 30 seconds.",
  refused_passkey: "The passkey was not accepted: it is unknown, was removed, or did not verify the person.",
  dead_challenge: "This took too long, or was done already. Begin again.",
  invalid_passkey: "The browser's answer for the new passkey is not valid. Try again, or use another device.",

  // Exports and imports
  export_failed: "The export failed. Start a new one.",
  job_not_allowed:
    "The account was deleted or disabled, or the person or API key that started it may not do this any more.",
  job_given_up: "A part of the service failed repeatedly. Try it again later.",
  job_given_up_undoable: "A part of the service failed repeatedly. What was done until then can be undone.",
  code_not_drawn: ({ value }) => `The QR code of ${value} cannot be drawn. Choose another style.`,
  export_too_large: ({ max }) =>
    `The file would be larger than ${formatSize(max)}. Export fewer links or a shorter period.`,
  too_many_matches: ({ max }) =>
    `The filter matches more than ${formatCount(max)} links, so nothing was changed. Narrow it, for example by the time of creation.`,
  export_not_done: "The export is not done yet.",
  file_is_workbook:
    "The file is a workbook, of Excel or a similar program. Save the sheet with the links as CSV (in Excel as “CSV UTF-8”), and upload that. The statistics workbook of Short.io has no links: export the links there as CSV.",
  file_is_archive: "The file is a ZIP archive. Unpack it, and upload the CSV or JSON file in it.",
  file_is_compressed: "The file is compressed. Unpack it, and upload the CSV or JSON file in it.",
  file_is_pdf:
    "The file is a PDF, from which links cannot be read safely. Export the links as CSV or JSON at the old service, and upload that.",
  file_is_web_page:
    "The file is a web page. Export the links as CSV or JSON at the old service, and upload that file. A table of a web page can be saved as CSV in a spreadsheet.",
  file_not_readable:
    "The file is neither in UTF-8 nor in UTF-16. Save it in UTF-8 (in Excel as “CSV UTF-8”), and upload it again.",
  file_not_whole: "The file did not arrive whole. Upload it again.",
  file_empty: "The file is empty.",
  file_without_links: "The file has no links.",
  file_of_imported: "All links of this list of failures were imported.",
  file_without_header: "The first line of the file must name its columns, such as “url,slug,title”.",
  file_too_long: ({ max }) => `The file has more than ${formatCount(max)} links. Split it into several files.`,
  file_too_wide: ({ max }) => `The file has more than ${formatCount(max)} columns or different fields.`,
  file_names_too_long: ({ max }) => `The names of the columns have more than ${formatCount(max)} bytes.`,
  file_row_too_long: ({ at, max }) =>
    `The row that begins in line ${at} has more than ${formatCount(max)} bytes. Look for a quotation mark in it that is not closed.`,
  file_open_quote: ({ at }) =>
    `The row that begins in line ${at} has a quotation mark that is not closed. The file may be incomplete.`,
  file_object_too_long: ({ at, max }) => `Object ${at} of the file has more than ${formatCount(max)} bytes.`,
  file_object_too_deep: ({ at, max }) => `Object ${at} of the file is nested more than ${max} levels deep.`,
  file_not_json: ({ at }) => `The file is not valid JSON. Its object ${at}, or what follows it, cannot be read.`,
  file_json_cut: ({ actual }) =>
    `The file ends in the middle of its JSON, after ${formatCount(actual)} complete ${actual === 1 ? "object" : "objects"}.`,
  file_of_other_source: ({ value }) =>
    `This is no export of ${value}. Upload it as a file of another service, or let the service recognise it.`,
  no_destination_column: "It is not known which column of the file has the destinations. Choose it first.",

  // The console of operators
  screening_off: "Screening is off. It is turned on in the configuration of the service.",
  decide_with_reverse: "The takedown is reversed already. Decide the appeal in the same way.",
  takedown_reversed: "The takedown is reversed already.",
  nothing_to_take_down: "The link has nothing of this kind that can be taken down.",
} satisfies RefusalTexts;
