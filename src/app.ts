import { OpenAPIHono } from "@hono/zod-openapi";
import { cors } from "hono/cors";
import { methodNotAllowed } from "hono/method-not-allowed";
import * as accountContract from "./account/contract.ts";
import * as accounts from "./account/routes.ts";
import { hasCredentials } from "./guards/authenticate.ts";
import { acceptKey, allowAnonymous, requireKey } from "./guards/api-guards.ts";
import * as bulkJobContract from "./bulk/contract.ts";
import * as bulkJobs from "./bulk/routes.ts";
import * as clickContract from "./analytics/contract.ts";
import * as clicks from "./analytics/routes.ts";
import * as liveContract from "./analytics/live/contract.ts";
import * as live from "./analytics/live/routes.ts";
import * as deepLinkContract from "./deep-links/contract.ts";
import * as deepLinks from "./deep-links/routes.ts";
import * as domainContract from "./domains/contract.ts";
import * as domains from "./domains/routes.ts";
import { deliveries, DELIVERY_HEADERS } from "./webhooks/event-contract.ts";
import * as exportContract from "./exports/contract.ts";
import * as exports from "./exports/routes.ts";
import * as fileContract from "./exports/file-contract.ts";
import * as files from "./exports/file-routes.ts";
import * as healthContract from "./health/contract.ts";
import * as health from "./health/routes.ts";
import { BULK_BODY_BOUNDS } from "./http/body.ts";
import { requestContext, type HttpEnv } from "./http/context.ts";
import { onError, onMethodNotAllowed, onNotFound } from "./http/errors.ts";
import { describePublicRoute, openApiDocument } from "./http/openapi.ts";
import { onInvalid } from "./http/validation.ts";
import * as importContract from "./imports/contract.ts";
import * as imports from "./imports/routes.ts";
import * as jobContract from "./jobs/contract.ts";
import * as jobs from "./jobs/routes.ts";
import * as keyContract from "./keys/contract.ts";
import * as keys from "./keys/routes.ts";

import * as bulkContract from "./links/bulk-contract.ts";
import * as bulk from "./links/bulk-routes.ts";
import * as byUrlContract from "./links/by-url-contract.ts";
import * as claimContract from "./links/claims/contract.ts";
import * as claims from "./links/claims/routes.ts";
import * as linkContract from "./links/contract.ts";
import * as listContract from "./links/list-contract.ts";
import * as visitors from "./links/public-contract.ts";
import * as links from "./links/routes.ts";
import * as listenerContract from "./listeners/contract.ts";
import * as listeners from "./listeners/routes.ts";
import * as peopleContract from "./people/contract.ts";
import * as factorContract from "./people/factors/contract.ts";
import * as factors from "./people/factors/routes.ts";
import {
  allowLocally,
  allowVisitor,
  answerUnknownPath,
  requireMember,
  requireMemberOfDeleted,
  requireSession,
  requireSessionOfAnybody,
  requireTeamMember,
} from "./guards/session-guards.ts";
import * as invitationContract from "./people/invitations/contract.ts";
import * as mailContract from "./people/mail/contract.ts";
import * as people from "./people/routes.ts";
import * as tokenContract from "./people/tokens/contract.ts";
import * as userContract from "./people/users/contract.ts";
import * as qrContract from "./qr/contract.ts";
import * as qr from "./qr/routes.ts";
import * as serviceContract from "./account/service-info/contract.ts";
import * as serviceInfo from "./account/service-info/routes.ts";
import * as sharedContract from "./shared-pages/contract.ts";
import * as shared from "./shared-pages/routes.ts";
import * as viewerContract from "./shared-pages/viewer-contract.ts";
import * as viewers from "./shared-pages/viewer-routes.ts";
import * as slugContract from "./links/slugs/contract.ts";
import * as slugs from "./links/slugs/routes.ts";
import * as tagContract from "./tags/contract.ts";
import * as tags from "./tags/routes.ts";
import * as teamContract from "./teams/contract.ts";
import * as teams from "./teams/routes.ts";
import * as usageContract from "./usage/contract.ts";
import * as usage from "./usage/routes.ts";
import * as templateContract from "./utm-templates/contract.ts";
import * as templates from "./utm-templates/routes.ts";
import * as webhookContract from "./webhooks/contract.ts";
import * as deliveryContract from "./webhooks/delivery-contract.ts";
import * as webhooks from "./webhooks/routes.ts";

/** The API: for each route its contract (method, path, wire format), the permission that it needs, and its handler. */
export const app = new OpenAPIHono<HttpEnv>({ defaultHook: onInvalid });

app.onError(onError);
app.notFound(onNotFound);
app.use(requestContext);
app.use(
  methodNotAllowed({
    app,
    onMethodNotAllowed: (c, methods) => onMethodNotAllowed(c, methodsAt(c.req.path) ?? methods),
  }),
);

// Web pages must not hold API keys, so CORS allows only operations that need no key.
app.use("/api/openapi.json", cors({ origin: "*", allowMethods: ["GET"] }));
app.use(
  "/api/shorten",
  cors({
    origin: (origin, c) => (hasCredentials(c) ? null : "*"),
    allowMethods: ["POST"],
    allowHeaders: ["Content-Type"],
    exposeHeaders: ["X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "Retry-After"],
  }),
);

// Links (4.2)
app.openapi(requireKey(linkContract.createLink, "links:write"), links.createLink);
app.openapi(requireKey(listContract.listLinks, "links:read"), links.listLinks);
app.openapi(requireKey(bulkContract.createLinks, "links:write", BULK_BODY_BOUNDS), bulk.createLinks);
app.openapi(requireKey(bulkContract.updateLinks, "links:write"), bulk.updateLinks);
app.openapi(requireKey(bulkContract.deleteLinks, "links:write"), bulk.deleteLinks);
app.openapi(requireKey(linkContract.upsertLink, "links:write"), links.upsertLink);
app.openapi(requireKey(byUrlContract.getLinkByUrl, "links:read"), links.getLinkByUrl);
app.openapi(requireKey(linkContract.getLink, "links:read"), links.getLink);
app.openapi(requireKey(linkContract.updateLink, "links:write"), links.updateLink);
app.openapi(requireKey(linkContract.deleteLink, "links:write"), links.deleteLink);
app.openapi(requireKey(linkContract.restoreLink, "links:write"), links.restoreLink);
app.openapi(acceptKey(linkContract.shorten, "links:write"), links.shorten);
app.openapi(requireKey(slugContract.checkSlug, "links:write"), slugs.checkSlug);

// UTM templates
app.openapi(requireKey(templateContract.createTemplate, "links:write"), templates.createTemplate);
app.openapi(requireKey(templateContract.listTemplates, "links:read"), templates.listTemplates);
app.openapi(requireKey(templateContract.updateTemplate, "links:write"), templates.updateTemplate);
app.openapi(requireKey(templateContract.deleteTemplate, "links:write"), templates.deleteTemplate);

// Tags, and jobs on many links
app.openapi(requireKey(tagContract.listTags, "links:read"), tags.listTags);
app.openapi(requireKey(tagContract.renameTag, "links:write"), tags.renameTag);
app.openapi(requireKey(tagContract.deleteTag, "links:write"), tags.deleteTag);
app.openapi(requireKey(jobContract.getJob, "links:read"), jobs.getJob);

// Bulk jobs (8.1)
app.openapi(requireKey(bulkJobContract.startBulkJob, ["bulk", "links:write"], BULK_BODY_BOUNDS), bulkJobs.startBulkJob);
app.openapi(requireKey(bulkJobContract.listBulkJobs, "bulk"), bulkJobs.listBulkJobs);
app.openapi(requireKey(bulkJobContract.getBulkJob, "bulk"), bulkJobs.getBulkJob);
app.openapi(requireKey(bulkJobContract.getBulkFailures, "bulk"), bulkJobs.getBulkFailures);
app.openapi(requireKey(bulkJobContract.pauseBulkJob, "bulk"), bulkJobs.pauseBulkJob);
app.openapi(requireKey(bulkJobContract.resumeBulkJob, ["bulk", "links:write"]), bulkJobs.resumeBulkJob);
app.openapi(requireKey(bulkJobContract.cancelBulkJob, "bulk"), bulkJobs.cancelBulkJob);
app.openapi(requireKey(bulkJobContract.undoBulkJob, ["bulk", "links:write"]), bulkJobs.undoBulkJob);

// Imports (8.1)
app.openapi(requireKey(importContract.startImport, ["bulk", "links:write"], null), imports.startImport);
app.openapi(requireKey(importContract.listImports, "bulk"), imports.listImports);
app.openapi(requireKey(importContract.getImport, "bulk"), imports.getImport);
app.openapi(requireKey(importContract.updateImport, ["bulk", "links:write"]), imports.updateImport);
app.openapi(requireKey(importContract.getImportFailures, "bulk"), imports.getImportFailures);
app.openapi(requireKey(importContract.runImport, ["bulk", "links:write"]), imports.runImport);
app.openapi(requireKey(importContract.pauseImport, "bulk"), imports.pauseImport);
app.openapi(requireKey(importContract.resumeImport, ["bulk", "links:write"]), imports.resumeImport);
app.openapi(requireKey(importContract.cancelImport, "bulk"), imports.cancelImport);
app.openapi(requireKey(importContract.undoImport, ["bulk", "links:write"]), imports.undoImport);

// Clicks (4.2)
app.openapi(requireKey(clickContract.getLinkClicks, "clicks:read"), clicks.getLinkClicks);
app.openapi(requireKey(clickContract.listLinkClicks, "clicks:read"), clicks.listLinkClicks);
app.openapi(requireKey(clickContract.getClicks, "clicks:read"), clicks.getClicks);
app.openapi(requireKey(clickContract.listClicks, "clicks:read"), clicks.listClicks);
app.openapi(requireKey(liveContract.watchClicks, "clicks:read"), live.watchClicks);

// Shared pages: for the account, and for those who have the URL of a page
app.openapi(requireKey(sharedContract.createSharedPage, ["links:write", "clicks:read"]), shared.createSharedPage);
app.openapi(requireKey(sharedContract.listSharedPages, "clicks:read"), shared.listSharedPages);
app.openapi(requireKey(sharedContract.getSharedPage, "clicks:read"), shared.getSharedPage);
app.openapi(requireKey(sharedContract.updateSharedPage, ["links:write", "clicks:read"]), shared.updateSharedPage);
app.openapi(requireKey(sharedContract.deleteSharedPage, ["links:write", "clicks:read"]), shared.deleteSharedPage);
app.openapi(allowAnonymous(viewerContract.viewSharedPage), viewers.viewSharedPage);
app.openapi(allowAnonymous(viewerContract.enterSharedPassword), viewers.enterSharedPassword);
app.openapi(allowAnonymous(viewerContract.getSharedClicks), viewers.getSharedClicks);

// QR codes (4.2)
app.openapi(requireKey(qrContract.getLinkQrCode, "links:read"), qr.getLinkQrCode);
app.openapi(requireKey(qrContract.makeQrCode), qr.makeQrCode);

// Deep links (4.2)
app.openapi(requireKey(deepLinkContract.getLinkDeepLinks, "links:read"), deepLinks.getLinkDeepLinks);
app.openapi(requireKey(deepLinkContract.updateLinkDeepLinks, "links:write"), deepLinks.updateLinkDeepLinks);
app.openapi(requireKey(deepLinkContract.getDomainDeepLinks, "domains:read"), deepLinks.getDomainDeepLinks);
app.openapi(requireKey(deepLinkContract.updateDomainDeepLinks, "domains:write"), deepLinks.updateDomainDeepLinks);

// Exports of links, clicks and QR codes. Each needs the permission to read what it exports.
app.openapi(requireKey(fileContract.startExport, "bulk"), files.startExport);
app.openapi(requireKey(fileContract.listExports, "bulk"), files.listExports);
app.openapi(requireKey(fileContract.getExport, "bulk"), files.getExport);
app.openapi(requireKey(fileContract.getExportFile, "bulk"), files.getExportFile);

// API keys (4.2, 5)
app.openapi(requireKey(keyContract.createKey, "keys:write"), keys.createKey);
app.openapi(requireKey(keyContract.listKeys, "keys:read"), keys.listKeys);
app.openapi(requireKey(keyContract.getCurrentKey), keys.getCurrentKey);
app.openapi(requireKey(keyContract.updateKey, "keys:write"), keys.updateKey);
app.openapi(requireKey(keyContract.revokeKey, "keys:write"), keys.revokeKey);

// Domains (4.2)
app.openapi(requireKey(domainContract.addDomain, "domains:write"), domains.addDomain);
app.openapi(requireKey(domainContract.listDomains, "domains:read"), domains.listDomains);
app.openapi(requireKey(domainContract.getDomain, "domains:read"), domains.getDomain);
app.openapi(requireKey(domainContract.verifyDomain, "domains:write"), domains.verifyDomain);
app.openapi(requireKey(domainContract.updateDomain, "domains:write"), domains.updateDomain);
app.openapi(requireKey(domainContract.deleteDomain, "domains:write"), domains.deleteDomain);

// Webhooks (4.1)
app.openapi(requireKey(webhookContract.createWebhook, "webhooks:write"), webhooks.createWebhook);
app.openapi(requireKey(webhookContract.listWebhooks, "webhooks:read"), webhooks.listWebhooks);
app.openapi(requireKey(webhookContract.getWebhook, "webhooks:read"), webhooks.getWebhook);
app.openapi(requireKey(webhookContract.updateWebhook, "webhooks:write"), webhooks.updateWebhook);
app.openapi(requireKey(webhookContract.deleteWebhook, "webhooks:write"), webhooks.deleteWebhook);
app.openapi(requireKey(webhookContract.testWebhook, "webhooks:write"), webhooks.testWebhook);
app.openapi(requireKey(deliveryContract.listDeliveries, "webhooks:read"), webhooks.listDeliveries);
app.openapi(requireKey(deliveryContract.getDelivery, "webhooks:read"), webhooks.getDelivery);
app.openapi(requireKey(deliveryContract.retryDeliveries, "webhooks:write"), webhooks.retryDeliveries);
app.openapi(requireKey(deliveryContract.retryDelivery, "webhooks:write"), webhooks.retryDelivery);
app.openapi(requireKey(webhookContract.rotateSecret, "webhooks:write"), webhooks.rotateSecret);

// Listeners
app.openapi(requireKey(listenerContract.createListener, "webhooks:write"), listeners.createListener);
app.openapi(requireKey(listenerContract.listListeners, "webhooks:read"), listeners.listListeners);
app.openapi(requireKey(listenerContract.pollListener, "webhooks:write"), listeners.pollListener);
app.openapi(requireKey(listenerContract.deleteListener, "webhooks:write"), listeners.deleteListener);

// Usage of quotas and limits
app.openapi(requireKey(usageContract.getUsage), usage.getUsage);

// Operation
app.openapi(allowAnonymous(healthContract.getHealth), health.getHealth);
app.openapi(allowAnonymous(serviceContract.getService), serviceInfo.getService);

// Persons (4.3)
app.openapi(allowVisitor(peopleContract.signUp), people.signUp);
app.openapi(allowVisitor(peopleContract.verifyEmail), people.verifyEmail);
app.openapi(allowVisitor(tokenContract.checkToken), people.checkToken);
app.openapi(allowVisitor(invitationContract.readInvitation), people.readInvitation);
app.openapi(allowVisitor(peopleContract.signIn), people.signIn);
app.openapi(allowLocally(peopleContract.signInByLink), people.signInByLink);
app.openapi(requireSessionOfAnybody(peopleContract.signOut), people.signOut);
app.openapi(requireSession(peopleContract.getSession), people.getSession);
app.openapi(requireSession(userContract.updateUser), people.updateUser);
app.openapi(requireSession(peopleContract.listSessions), people.listSessions);
app.openapi(requireSession(peopleContract.endSession), people.endSession);
app.openapi(requireSession(peopleContract.endOtherSessions), people.endOtherSessions);
app.openapi(requireSession(peopleContract.confirm), people.confirm);
app.openapi(allowVisitor(peopleContract.forgotPassword), people.forgotPassword);
app.openapi(allowVisitor(peopleContract.resetPassword), people.resetPassword);
app.openapi(requireSession(peopleContract.changePassword), people.changePassword);
app.openapi(requireSession(peopleContract.changeEmail), people.changeEmail);
app.openapi(requireSession(peopleContract.confirmEmail), people.confirmEmail);
app.openapi(allowVisitor(peopleContract.undoEmail), people.undoEmail);
app.openapi(allowLocally(mailContract.listMails), people.listMails);

// Second factors
app.openapi(allowVisitor(factorContract.startSecondStep), factors.startSecondStep);
app.openapi(allowVisitor(factorContract.takeSecondStep), factors.takeSecondStep);
app.openapi(requireSession(factorContract.startConfirmation), factors.startConfirmation);
app.openapi(requireSession(factorContract.getFactors), factors.getFactors);
app.openapi(requireSession(factorContract.enrolTotp), factors.enrolTotp);
app.openapi(requireSession(factorContract.confirmTotp), factors.confirmTotp);
app.openapi(requireSession(factorContract.removeTotp), factors.removeTotp);
app.openapi(requireSession(factorContract.replaceRecoveryCodes), factors.replaceRecoveryCodes);
app.openapi(requireSession(factorContract.startPasskey), factors.startPasskey);
app.openapi(requireSession(factorContract.addPasskey), factors.addPasskey);
app.openapi(requireSession(factorContract.renamePasskey), factors.renamePasskey);
app.openapi(requireSession(factorContract.removePasskey), factors.removePasskey);
app.openapi(allowVisitor(factorContract.startPasskeySignIn), factors.startPasskeySignIn);
app.openapi(allowVisitor(factorContract.signInByPasskey), factors.signInByPasskey);

// Accounts and teams (4.3)
app.openapi(requireMember(accountContract.getAccount, "account:read"), accounts.getAccount);
app.openapi(requireMember(accountContract.updateAccount, "account:write"), accounts.updateAccount);
app.openapi(requireMember(accountContract.getRole, "account:read"), accounts.getRole);
app.openapi(requireMember(accountContract.listAudit, "audit:read"), accounts.listAudit);
app.openapi(requireMember(exportContract.startAccountExport, "account:export"), exports.startAccountExport);
app.openapi(requireMember(exportContract.getAccountExport, "account:export"), exports.getAccountExport);
app.openapi(requireMember(exportContract.getAccountExportFile, "account:export"), exports.getAccountExportFile);
app.openapi(requireMember(accountContract.deleteAccount, "account:write"), accounts.deleteAccount);
app.openapi(requireMemberOfDeleted(accountContract.restoreAccount, "account:write"), accounts.restoreAccount);
app.openapi(requireMember(claimContract.claimLinks, "links:write"), claims.claimLinks);
app.openapi(requireSession(teamContract.createTeam), teams.createTeam);
app.openapi(requireSession(teamContract.listTeams), teams.listTeams);
app.openapi(requireTeamMember(teamContract.getTeam, "account:read"), teams.getTeam);
app.openapi(requireTeamMember(teamContract.updateTeam, "account:write"), teams.updateTeam);
app.openapi(requireTeamMember(accountContract.deleteTeam, "account:write"), accounts.deleteTeam);
app.openapi(requireTeamMember(teamContract.listMembers, "members:read"), teams.listMembers);
app.openapi(requireTeamMember(teamContract.updateMember, "members:write"), teams.updateMember);
app.openapi(requireSession(teamContract.removeMember), teams.removeMember);
app.openapi(requireTeamMember(teamContract.invite, "members:write"), teams.invite);
app.openapi(requireTeamMember(teamContract.listInvitations, "members:write"), teams.listInvitations);
app.openapi(requireTeamMember(teamContract.revokeInvitation, "members:write"), teams.revokeInvitation);
app.openapi(requireSession(teamContract.acceptInvitation), teams.acceptInvitation);
app.openapi(requireSession(teamContract.declineInvitation), teams.declineInvitation);
app.openapi(requireTeamMember(teamContract.transferTeam, "account:write"), teams.transferTeam);

// Only for the dashboard's sessions (4.3, 5).
for (const path of ["/api/account/*", "/api/teams/*", "/api/auth/*"]) {
  app.all(path, answerUnknownPath);
}

// Served outside the app by src/redirect, and part of the document.
for (const route of [visitors.followLink, visitors.givePassword, visitors.showDestination]) {
  app.openAPIRegistry.registerPath(describePublicRoute(route));
}

// Sent by src/webhooks, and part of the document.
for (const [name, header] of Object.entries(DELIVERY_HEADERS))
  app.openAPIRegistry.registerComponent("parameters", name, header);
for (const delivery of deliveries) app.openAPIRegistry.registerWebhook(delivery);

/** The methods of a path without parameters, such as `/api/links/bulk`. The routes of `/api/links/:id` match it too. */
function methodsAt(path: string): string[] | undefined {
  const methods = app.routes
    .filter((route) => route.path === path && route.method !== "ALL")
    .map(({ method }) => method);
  if (methods.includes("GET")) methods.push("HEAD");
  return methods.length === 0 ? undefined : [...new Set(methods)];
}

const documentAt = openApiDocument(app);
app.get("/api/openapi.json", (c) => {
  c.header("Cache-Control", "public, max-age=300");
  return c.json(documentAt(c.get("context").baseUrl));
});
