let lastAddress = 0;

/**
 * Returns an IP address that no other request of this process has, so that requests do not share a rate limit. Addresses
 * that follow each other are in different networks.
 */
export function freshAddress(): string {
  lastAddress++;
  return `10.${(lastAddress >> 8) & 255}.${lastAddress & 255}.${(lastAddress >> 16) & 255}`;
}
