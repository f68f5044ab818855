import type { Tool } from "../tool.ts";
import { getAccount } from "./account.ts";
import { getAnalytics } from "./analytics.ts";
import { bulkUpdateLinks, deleteLinks, updateLink } from "./change-links.ts";
import { createLink, createLinks } from "./create-links.ts";
import { addDomain, checkDomain, listDomains } from "./domains.ts";
import { getQrCode } from "./qr-code.ts";
import { getLink, listLinks } from "./read-links.ts";
import { listWebhookDeliveries } from "./webhooks.ts";

/** All tools, in the order in which clients list them. */
export const TOOLS: readonly Tool[] = [
  createLink,
  createLinks,
  getLink,
  listLinks,
  updateLink,
  deleteLinks,
  bulkUpdateLinks,
  getAnalytics,
  getQrCode,
  listDomains,
  addDomain,
  checkDomain,
  listWebhookDeliveries,
  getAccount,
];
