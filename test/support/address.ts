let lastAddress = 0;

/**
 * Returns an IP address that no other request of this process has, so that requests do not share a rate limit. Addresses
 * that follow each other are in different networks.
 */
export function freshAddress(): string {
  lastAddress++;
  return `10.${(lastAddress >> 8) & 255}.${lastAddress & 255}.${(lastAddress >> 16) & 255}`;
}

/** Fewer than the limit of any operation that {@link usualAddress} is for, so that an accepted call is never the last one. */
const CALLS_PER_ADDRESS = 4;
/** Paths of the API, but not those with a limit of two calls a minute. Visitors of links are told apart by their addresses. */
const USUAL = /^\/api\/(?!links\/bulk|tags\/)/;

let address = "";
let calls = CALLS_PER_ADDRESS;

/**
 * Returns the address of a client whose limits the call does not reach. A few calls of a test share one, because an object
 * is made for each address, which takes as long as the rest of a short call.
 */
export function usualAddress(path: string): string {
  if (!USUAL.test(path)) return freshAddress();
  if (calls === CALLS_PER_ADDRESS) leaveAddress();
  calls++;
  return address;
}

/** The next call has an address of its own. */
export function leaveAddress(): void {
  address = freshAddress();
  calls = 0;
}
