import type { Permission } from "../platform/auth/permissions.ts";
import { EVENT_TYPES, type EventType } from "../platform/outbox/event-types.ts";

/** The permission that reads what an event contains. null: the event contains only the webhook's own id. */
const READ_PERMISSIONS: Record<EventType, Permission | null> = {
  "link.click": "clicks:read",
  "link.create": "links:read",
  "link.update": "links:read",
  "link.delete": "links:read",
  "link.expired": "links:read",
  "domain.verified": "domains:read",
  "domain.lost": "domains:read",
  "webhook.test": null,
};

/** The permissions that a key needs to receive these events. */
export function permissionsOf(events: readonly EventType[]): Permission[] {
  const permissions = events.map((type) => READ_PERMISSIONS[type]).filter((permission) => permission !== null);
  return [...new Set(permissions)];
}

/** The event types that a key with these permissions may not receive. */
export function unreadableEvents(permissions: readonly Permission[]): EventType[] {
  return EVENT_TYPES.filter((type) => !permissionsOf([type]).every((permission) => permissions.includes(permission)));
}
