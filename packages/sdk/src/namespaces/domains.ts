import type { List } from "../list.ts";
import { Namespace, once, path } from "../namespace.ts";
import type { RequestOptions } from "../transport.ts";
import type {
  AddDomain,
  DeleteDomain,
  Domain,
  DomainDeepLinks,
  LinkDeepLinks,
  ListOrphanVisits,
  OrphanVisits,
  PageQuery,
  QrStyle,
  SetDomainQrStyle,
  UpdateDomain,
  UpdateDomainDeepLinks,
  UpdateLinkDeepLinks,
  VerifiedDomain,
} from "../types.ts";

export class Domains extends Namespace {
  add(domain: AddDomain, options?: RequestOptions): Promise<Domain> {
    return this.one("domain", "POST", "/api/domains/add", options, once(domain, options));
  }

  list(query?: PageQuery, options?: RequestOptions): List<"domains", Domain> {
    return this.pages("domains", "/api/domains", options, query);
  }

  get(id: string, options?: RequestOptions): Promise<Domain> {
    return this.one("domain", "GET", path`/api/domains/${id}`, options);
  }

  verify(id: string, options?: RequestOptions): Promise<VerifiedDomain> {
    return this.json("POST", path`/api/domains/${id}/verify`, options);
  }

  orphanVisits(id: string, query?: ListOrphanVisits, options?: RequestOptions): Promise<OrphanVisits> {
    return this.one("orphanVisits", "GET", path`/api/domains/${id}/orphan-visits`, options, { query });
  }

  qrStyle(id: string, options?: RequestOptions): Promise<QrStyle | null> {
    return this.one("qrStyle", "GET", path`/api/domains/${id}/qr-style`, options);
  }

  setQrStyle(id: string, style: SetDomainQrStyle, options?: RequestOptions): Promise<QrStyle | null> {
    return this.one("qrStyle", "PUT", path`/api/domains/${id}/qr-style`, options, { body: style });
  }

  update(id: string, changes: UpdateDomain, options?: RequestOptions): Promise<Domain> {
    return this.one("domain", "PATCH", path`/api/domains/${id}`, options, { body: changes });
  }

  delete(id: string, query?: DeleteDomain, options?: RequestOptions): Promise<void> {
    return this.remove(path`/api/domains/${id}`, options, query);
  }
}

export class DeepLinks extends Namespace {
  getForLink(linkId: string, options?: RequestOptions): Promise<LinkDeepLinks> {
    return this.one("deepLinks", "GET", path`/api/deep-links/links/${linkId}`, options);
  }

  updateForLink(linkId: string, changes: UpdateLinkDeepLinks, options?: RequestOptions): Promise<LinkDeepLinks> {
    return this.one("deepLinks", "PATCH", path`/api/deep-links/links/${linkId}`, options, { body: changes });
  }

  getForDomain(domainId: string, options?: RequestOptions): Promise<DomainDeepLinks> {
    return this.one("deepLinks", "GET", path`/api/deep-links/domains/${domainId}`, options);
  }

  updateForDomain(
    domainId: string,
    changes: UpdateDomainDeepLinks,
    options?: RequestOptions,
  ): Promise<DomainDeepLinks> {
    return this.one("deepLinks", "PATCH", path`/api/deep-links/domains/${domainId}`, options, { body: changes });
  }
}
