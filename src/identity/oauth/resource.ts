import { isNameOf } from "../../platform/http/origin.ts";
import { OAuthError } from "./oauth-error.ts";

/**
 * Throws an {@link OAuthError} unless all resources are this service (RFC 8707, 2). There is one resource here, so its origin
 * decides: clients name it with and without the path and a slash.
 */
export function requireOwnResource(resources: readonly string[], baseUrl: string): void {
  for (const resource of resources) {
    const url = URL.parse(resource);
    const isOwn = url !== null && /^https?:$/.test(url.protocol) && isNameOf(url.origin, baseUrl);
    if (!isOwn || url.hash !== "" || url.username !== "" || url.password !== "")
      throw new OAuthError("invalid_target", "The resource is not one of this service.");
  }
}
