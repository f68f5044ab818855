import type { Time } from "./common.ts";
import type { Utm } from "./links.ts";

export type Permission =
  | "links:read"
  | "links:write"
  | "clicks:read"
  | "domains:read"
  | "domains:write"
  | "webhooks:read"
  | "webhooks:write"
  | "keys:read"
  | "keys:write"
  | "bulk";

/** An API key, without its value. */
export interface ApiKey {
  id: string;
  name: string;
  prefix: string;
  lastFour: string;
  status: "active" | "revoked";
  permissions: Permission[];
  /** null: the operator created it. */
  createdBy: { type: "key" | "user"; id: string; name: string | null } | null;
  createdAt: number;
  lastUsedAt: number | null;
  lastUsedCountry: string | null;
  expiresAt: number | null;
  expired: boolean;
}

export interface NewApiKey extends ApiKey {
  /** The whole key. It cannot be read again. */
  value: string;
}

export interface CreateKey {
  name: string;
  /** By default those of the calling key. */
  permissions?: Permission[];
  expiresAt?: Time | null;
}

export interface UpdateKey {
  name?: string;
  permissions?: Permission[];
}

export interface RevokeKey {
  /** Whether the keys that it created are revoked too. */
  descendants?: boolean;
}

export interface CurrentKey {
  key: ApiKey;
  account: { id: string; name: string };
}

export interface Quota {
  used: number;
  limit: number;
}

export interface Usage {
  links: Quota;
  linkBytes: Quota;
  keys: Quota;
  domains: Quota;
  webhooks: Quota;
  utmTemplates: Quota;
}

export interface Tag {
  name: string;
  links: number;
}

export interface RenameTag {
  name: string;
}

/** Work on the links of a tag. */
export interface Job {
  id: string;
  type: "tag.rename" | "tag.delete";
  status: "pending" | "running" | "completed";
  input: { tag: string; name: string | null };
  done: number;
  total: number;
  createdAt: number;
  finishedAt: number | null;
}

/** Campaign parameters by name. */
export interface UtmTemplate {
  id: string;
  name: string;
  utm: Utm;
  createdAt: number;
  updatedAt: number;
}

export interface CreateUtmTemplate {
  name: string;
  utm: Utm;
}

export interface UpdateUtmTemplate {
  name?: string;
  utm?: Utm;
}

/** What the service offers to visitors. */
export interface ServiceInfo {
  version: string;
  signIn: boolean;
  signUp: "open" | "invited" | "closed";
  emailDomainsLimited: boolean;
  mail: boolean;
  anonymousLinks: boolean;
}

export interface Health {
  status: "ok" | "failed";
  checks: {
    database: "ok" | "failed";
    schema: "ok" | "failed" | "unknown";
    encryptionKeys: "ok" | "failed";
    durableObjects: "ok" | "failed";
    queues: "ok" | "failed";
  };
  schemaVersion: number | null;
  problems: { check: keyof Health["checks"]; problem: string; fix: string }[];
}
