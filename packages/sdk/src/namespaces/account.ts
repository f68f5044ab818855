import type { List } from "../list.ts";
import { Namespace, path } from "../namespace.ts";
import type { RequestOptions } from "../transport.ts";
import type {
  ApiKey,
  CreateKey,
  CreateNote,
  CreateUtmTemplate,
  CurrentKey,
  Health,
  Job,
  ListRequests,
  ListTags,
  LoggedRequest,
  ApiKeyWithValue,
  PageQuery,
  UpdateTag,
  RevokeKey,
  ServiceInfo,
  Tag,
  UpdateKey,
  Note,
  UpdateNote,
  UpdateUtmTemplate,
  Usage,
  UtmTemplate,
} from "../types.ts";

export class Keys extends Namespace {
  create(key: CreateKey, options?: RequestOptions): Promise<ApiKeyWithValue> {
    return this.one("key", "POST", "/api/keys", options, { body: key });
  }

  list(query?: PageQuery, options?: RequestOptions): List<"keys", ApiKey> {
    return this.pages("keys", "/api/keys", options, query);
  }

  /** The key of this client, and its account. */
  getCurrent(options?: RequestOptions): Promise<CurrentKey> {
    return this.json("GET", "/api/keys/current", options);
  }

  update(id: string, changes: UpdateKey, options?: RequestOptions): Promise<ApiKey> {
    return this.one("key", "PATCH", path`/api/keys/${id}`, options, { body: changes });
  }

  revoke(id: string, query?: RevokeKey, options?: RequestOptions): Promise<void> {
    return this.remove(path`/api/keys/${id}`, options, query);
  }

  /** The requests with the account's keys of the last days, the newest first. */
  listRequests(
    query?: ListRequests,
    options?: RequestOptions,
  ): List<"requests", LoggedRequest, { leftOut: number; recording: boolean }> {
    return this.pages("requests", "/api/request-log", options, query);
  }
}

export class UsageNamespace extends Namespace {
  get(options?: RequestOptions): Promise<Usage> {
    return this.one("usage", "GET", "/api/usage", options);
  }
}

export class Tags extends Namespace {
  list(query?: ListTags, options?: RequestOptions): List<"tags", Tag> {
    return this.pages("tags", "/api/tags", options, query);
  }

  /** With `name`, a job renames the tag on all links. Otherwise the tag has the new colour at once. */
  update(tag: string, changes: UpdateTag & { name: string }, options?: RequestOptions): Promise<Job>;
  update(tag: string, changes: UpdateTag & { name?: undefined }, options?: RequestOptions): Promise<Tag>;
  update(tag: string, changes: UpdateTag, options?: RequestOptions): Promise<Tag | Job>;
  update(tag: string, changes: UpdateTag, options?: RequestOptions): Promise<Tag | Job> {
    const member = changes.name === undefined ? "tag" : "job";
    return this.one(member, "PATCH", path`/api/tags/${tag}`, options, { body: changes });
  }

  delete(tag: string, options?: RequestOptions): Promise<Job> {
    return this.one("job", "DELETE", path`/api/tags/${tag}`, options);
  }
}

export class Jobs extends Namespace {
  get(id: string, options?: RequestOptions): Promise<Job> {
    return this.one("job", "GET", path`/api/jobs/${id}`, options);
  }
}

export class UtmTemplates extends Namespace {
  create(template: CreateUtmTemplate, options?: RequestOptions): Promise<UtmTemplate> {
    return this.one("template", "POST", "/api/utm-templates", options, { body: template });
  }

  list(query?: PageQuery, options?: RequestOptions): List<"templates", UtmTemplate> {
    return this.pages("templates", "/api/utm-templates", options, query);
  }

  update(id: string, changes: UpdateUtmTemplate, options?: RequestOptions): Promise<UtmTemplate> {
    return this.one("template", "PATCH", path`/api/utm-templates/${id}`, options, { body: changes });
  }

  delete(id: string, options?: RequestOptions): Promise<void> {
    return this.remove(path`/api/utm-templates/${id}`, options);
  }
}

export class Notes extends Namespace {
  create(note: CreateNote, options?: RequestOptions): Promise<Note> {
    return this.one("note", "POST", "/api/notes", options, { body: note });
  }

  list(query?: PageQuery, options?: RequestOptions): List<"notes", Note> {
    return this.pages("notes", "/api/notes", options, query);
  }

  update(id: string, changes: UpdateNote, options?: RequestOptions): Promise<Note> {
    return this.one("note", "PATCH", path`/api/notes/${id}`, options, { body: changes });
  }

  delete(id: string, options?: RequestOptions): Promise<void> {
    return this.remove(path`/api/notes/${id}`, options);
  }
}

export class Service extends Namespace {
  get(options?: RequestOptions): Promise<ServiceInfo> {
    return this.one("service", "GET", "/api/service", options);
  }

  getHealth(options?: RequestOptions): Promise<Health> {
    return this.json("GET", "/api/health", options);
  }
}
