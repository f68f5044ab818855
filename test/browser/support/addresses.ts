let next = 1;

/** The header with an IP address that no other client has, so that the limits of a client do not add up. */
export const newClient = (): Client => clientOf(10);

/** As {@link newClient}, with an address of this machine. */
export const newLocalClient = (): Client => clientOf(127);

// A type, because what takes headers takes no interface.
// oxlint-disable-next-line typescript/consistent-type-definitions
type Client = { "CF-Connecting-IP": string };

function clientOf(network: number): Client {
  const number = next++;
  return { "CF-Connecting-IP": `${network}.${process.pid & 255}.${number >> 8}.${number & 255}` };
}
