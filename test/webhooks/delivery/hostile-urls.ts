/** Addresses that webhooks must not reach, in every spelling, and public addresses next to them. */

// The special-purpose address registries of the IANA, without the ranges that are public.
const SPECIAL_V4 =
  `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
  192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24
  203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`.split(/\s+/);

const SPECIAL_V6 = `::/128 ::1/128 ::ffff:0:0/96 ::/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 100:0:0:1::/64 2001::/23
  2001::/32 2001:2::/48 2001:3::/32 2001:4:112::/48 2001:10::/28 2001:20::/28 2001:30::/28 2001:db8::/32 2002::/16
  2620:4f:8000::/48 3fff::/20 5f00::/16 4000::/3 8000::/2 fc00::/7 fe80::/10 fec0::/10 ff00::/8`.split(/\s+/);

export function hostileUrls(): string[] {
  const v4 = SPECIAL_V4.flatMap(borders);
  const v6 = SPECIAL_V6.flatMap(borders6);
  const embedding = v4.flatMap(embeddings);
  const hosts = [
    ...v4.flatMap(spellings),
    ...v6.map((address) => `[${address}]`),
    ...embedding.map((address) => `[${address}]`),
    ...NAMES,
  ];
  const userinfo = ["user@", "user:secret@", "8.8.8.8@", "hooks.receiver.dev@"].map((user) => `${user}127.0.0.1`);
  return [...hosts, ...userinfo, "user@hooks.receiver.dev", "127.0.0.1@hooks.receiver.dev"].flatMap((host) => [
    `http://${host}/`,
    `https://${host}:8443/x?y#z`,
  ]);
}

const NAMES = `localhost LOCALHOST localhost. localhost.localdomain a.localhost tern internal metadata router
  metadata.google.internal a.internal printer.local x.local. nas.lan gw.home host.home.arpa 1.0.0.127.in-addr.arpa
  a.test a.example a.invalid a.onion a.alt a.corp a.intranet a.private a.workgroup tern.test TERN.TEST tern.test.
  ⓛocalhost ｌｏｃａｌｈｏｓｔ loc%61lhost １２７.0.0.1 127。0。0。1 ①②⑦.⓪.⓪.① 127.0.0.1. 0x7f.1. com dev a..dev .dev`.split(
  /\s+/,
);

export function publicUrls(): string[] {
  const v4 = `1.0.0.0 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255
    169.255.0.0 172.15.255.255 172.32.0.0 191.255.255.255 192.0.1.0 192.0.3.0 192.167.255.255 192.169.0.0 198.17.255.255
    198.20.0.0 198.51.99.255 198.51.101.0 203.0.112.255 203.0.114.0 223.255.255.255 8.8.8.8`.split(/\s+/);
  const v6 = `2001:200:: 2001:4860:4860::8888 2001:db7:ffff:: 2001:db9:: 2003:: 2606:4700::1111 2620:4f:7fff:: 3ffe:ffff:: 2a00::1`;
  const names =
    "hooks.receiver.dev example.com xn--bcher-kva.ch bücher.ch sub.domain.co.uk a.b. tern.test.dev localhost.dev";
  return [...v4, ...v6.split(/\s+/).map((address) => `[${address}]`), ...names.split(" ")].map(
    (host) => `https://${host}/in`,
  );
}

/** The first and last addresses of a range, and one between them. */
function borders(range: string): string[] {
  const [address = "", length = ""] = range.split("/");
  const first = address.split(".").reduce((number, octet) => number * 256 + Number(octet), 0);
  const size = 2 ** (32 - Number(length));
  return [first, first + 1, first + Math.floor(size / 2), first + size - 2, first + size - 1].map(toDotted);
}

function toDotted(number: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join(".");
}

/** The spellings that a URL parser reads as the IPv4 address. */
function spellings(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
  const number = ((a * 256 + b) * 256 + c) * 256 + d;
  const hex = (value: number) => `0x${value.toString(16)}`;
  const octal = (value: number) => `0${value.toString(8)}`;
  return [
    address,
    `${address}.`,
    String(number),
    hex(number),
    octal(number),
    [a, b, c, d].map(hex).join("."),
    [a, b, c, d].map(octal).join("."),
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    `${octal(a)}.${b}.${hex(c)}.${d}`,
    address.replaceAll(".", "%2e"),
  ];
}

/** IPv6 addresses that embed the IPv4 address. */
function embeddings(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
  const pair = (x: number, y: number) => (x * 256 + y).toString(16);
  const groups = `${pair(a, b)}:${pair(c, d)}`;
  const inverted = `${pair(255 - a, 255 - b)}:${pair(255 - c, 255 - d)}`;
  return [
    `::ffff:${address}`,
    `::FFFF:${groups}`,
    `0:0:0:0:0:ffff:${groups}`,
    `::${address}`,
    `::ffff:0:${address}`,
    `64:ff9b::${address}`,
    `64:ff9b:1::${groups}`,
    `2002:${groups}::1`,
    `2001:0:4136:e378:8000:63bf:${inverted}`,
  ];
}

function borders6(range: string): string[] {
  const [address = "", length = ""] = range.split("/");
  const first = toNumber(address);
  const size = 2n ** BigInt(128 - Number(length));
  return [first, first + size / 2n, first + size - 1n].map(toGroups);
}

function toNumber(address: string): bigint {
  const [head = "", tail = ""] = address.split("::");
  const groups = (text: string) => (text === "" ? [] : text.split(":"));
  const missing = 8 - groups(head).length - groups(tail).length;
  const all = [...groups(head), ...Array.from({ length: missing }, () => "0"), ...groups(tail)];
  return all.reduce((number, group) => number * 65_536n + BigInt(`0x${group}`), 0n);
}

function toGroups(number: bigint): string {
  return Array.from({ length: 8 }, (_, n) => ((number >> BigInt(16 * (7 - n))) & 0xffffn).toString(16)).join(":");
}
