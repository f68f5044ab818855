import { app } from "../../../../src/app.ts";
import { operationsIn, resolveShared, type Document, type Operation } from "../../../e2e/support/openapi.ts";

/** The method of the SDK for each operation that an API key, or nobody, may call. */
export const METHODS: Record<string, string> = {
  createLink: "links.create",
  listLinks: "links.list",
  getLink: "links.get",
  getLinkByUrl: "links.getByUrl",
  updateLink: "links.update",
  deleteLink: "links.delete",
  restoreLink: "links.restore",
  upsertLink: "links.upsert",
  createLinks: "links.createMany",
  updateLinks: "links.updateMany",
  deleteLinks: "links.deleteMany",
  quickShorten: "links.shorten",
  checkSlug: "slugs.check",
  createUtmTemplate: "utmTemplates.create",
  listUtmTemplates: "utmTemplates.list",
  updateUtmTemplate: "utmTemplates.update",
  deleteUtmTemplate: "utmTemplates.delete",
  createNote: "notes.create",
  listNotes: "notes.list",
  updateNote: "notes.update",
  deleteNote: "notes.delete",
  listTags: "tags.list",
  updateTag: "tags.update",
  deleteTag: "tags.delete",
  getJob: "jobs.get",
  startBulkJob: "bulkJobs.start",
  listBulkJobs: "bulkJobs.list",
  getBulkJob: "bulkJobs.get",
  downloadFailuresOfBulkJob: "bulkJobs.downloadFailures",
  pauseBulkJob: "bulkJobs.pause",
  resumeBulkJob: "bulkJobs.resume",
  cancelBulkJob: "bulkJobs.cancel",
  undoBulkJob: "bulkJobs.undo",
  uploadFileToImport: "imports.upload",
  listImports: "imports.list",
  getImport: "imports.get",
  updateImport: "imports.update",
  downloadFailuresOfImport: "imports.downloadFailures",
  startImport: "imports.start",
  pauseImport: "imports.pause",
  resumeImport: "imports.resume",
  cancelImport: "imports.cancel",
  undoImport: "imports.undo",
  getClicks: "clicks.get",
  getLinkClicks: "clicks.getForLink",
  listClicks: "clicks.list",
  listLinkClicks: "clicks.listForLink",
  watchClicks: "clicks.watch",
  createSharedPage: "sharedPages.create",
  listSharedPages: "sharedPages.list",
  getSharedPage: "sharedPages.get",
  updateSharedPage: "sharedPages.update",
  deleteSharedPage: "sharedPages.delete",
  viewSharedPage: "sharedPages.view",
  enterSharedPagePassword: "sharedPages.enterPassword",
  getSharedClicks: "sharedPages.getClicks",
  getLinkQrCode: "qrCodes.getForLink",
  makeQrCode: "qrCodes.make",
  getLinkDeepLinks: "deepLinks.getForLink",
  updateLinkDeepLinks: "deepLinks.updateForLink",
  getDomainDeepLinks: "deepLinks.getForDomain",
  updateDomainDeepLinks: "deepLinks.updateForDomain",
  startExport: "exports.start",
  listExports: "exports.list",
  getExport: "exports.get",
  downloadExport: "exports.download",
  createKey: "keys.create",
  listKeys: "keys.list",
  getCurrentKey: "keys.getCurrent",
  updateKey: "keys.update",
  revokeKey: "keys.revoke",
  listRequests: "keys.listRequests",
  addDomain: "domains.add",
  listDomains: "domains.list",
  getDomain: "domains.get",
  verifyDomain: "domains.verify",
  listOrphanVisits: "domains.orphanVisits",
  getDomainQrStyle: "domains.qrStyle",
  setDomainQrStyle: "domains.setQrStyle",
  updateDomain: "domains.update",
  deleteDomain: "domains.delete",
  createWebhook: "webhooks.create",
  listWebhooks: "webhooks.list",
  getWebhook: "webhooks.get",
  updateWebhook: "webhooks.update",
  deleteWebhook: "webhooks.delete",
  sendTestPing: "webhooks.sendTestPing",
  rotateSecret: "webhooks.rotateSecret",
  listDeliveries: "webhooks.listDeliveries",
  getDelivery: "webhooks.getDelivery",
  retryDelivery: "webhooks.retryDelivery",
  retryDeliveries: "webhooks.retryDeliveries",
  createListener: "listeners.create",
  listListeners: "listeners.list",
  pollListener: "listeners.poll",
  deleteListener: "listeners.delete",
  getUsage: "usage.get",
  getService: "service.get",
  getHealth: "service.getHealth",
  followLink: "redirects.follow",
  showDestination: "redirects.showDestination",
  enterLinkPassword: "redirects.enterPassword",
};

export interface PublicOperation extends Operation {
  operationId: string;
  /** Such as `POST`. */
  method: string;
  path: string;
}

/** How the body of the success of an operation becomes the result of its method. */
export type Result =
  /** The response itself: a file, a page, or one with a cookie that the caller needs. */
  | { kind: "response" }
  /** It tells nothing else than the success. */
  | { kind: "nothing" }
  | { kind: "list"; name: string }
  | { kind: "member"; name: string }
  | { kind: "whole" };

const WITH_COOKIE = new Set(["enterSharedPagePassword"]);
/** Operations that return a page, or JSON to clients that ask for it. */
const JSON_ON_REQUEST = new Set(["showDestination"]);

export async function readDocument(): Promise<{ text: string; document: Document }> {
  const response = await app.request("https://tern.test/api/openapi.json", {}, { BASE_URL: "https://tern.test" });
  const text = await response.text();
  return { text, document: resolveShared(JSON.parse(text)) };
}

/** The operations that have methods: all but those of mails. */
export function publicOperations(document: Document): PublicOperation[] {
  return operationsIn({ ...document, webhooks: {} }).flatMap(([name, operation]) => {
    const [method = "", path = ""] = name.split(" ");
    const { operationId = "", tags = [] } = operation;
    return tags.includes("Mails") ? [] : [{ ...operation, operationId, method, path }];
  });
}

/** The success of an operation, with its status. */
export function successOf({ responses }: Operation) {
  const [status = "", response] = Object.entries(responses).find(([status]) => /^[123]/.test(status)) ?? [];
  return { status: Number(status), content: response?.content ?? {} };
}

export function resultOf(operation: PublicOperation): Result {
  const { content } = successOf(operation);
  const schema = content["application/json"]?.schema;
  const others = Object.keys(content).filter((type) => type !== "application/json" && type !== "text/csv");
  if (WITH_COOKIE.has(operation.operationId)) return { kind: "response" };
  if (schema === undefined) return { kind: "response" };
  if (others.length > 0 && !JSON_ON_REQUEST.has(operation.operationId)) return { kind: "response" };
  if (schema.$ref === "#/components/schemas/Success") return { kind: "nothing" };
  const names = Object.keys(schema.properties ?? {});
  const [name = ""] = names;
  if (names.includes("nextCursor")) return { kind: "list", name };
  return names.length === 1 ? { kind: "member", name } : { kind: "whole" };
}

/** The parameters of one place, such as `path`, in the order of the document. */
export function parametersIn({ parameters = [] }: Operation, place: "path" | "query" | "header") {
  return parameters.filter((parameter) => parameter.in === place);
}

/** The parameters that are arguments of their own: those of the path, and required ones of the query. */
export function ownArguments(operation: Operation) {
  return [...parametersIn(operation, "path"), ...parametersIn(operation, "query").filter(({ required }) => required)];
}

/** The parameters of the query that a method takes as one object. */
export function optionalQuery(operation: Operation) {
  return parametersIn(operation, "query").filter(({ required }) => !required);
}
