import { expect, it } from "vitest";
import { networkOf } from "../../../src/platform/lib/ip-network.ts";

it.each([
  ["203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
  ["2001:DB8::1", "2001:db8:0:0"],
  ["2001:db8:1::", "2001:db8:1:0"],
  ["::1", "0:0:0:0"],
  ["::", "0:0:0:0"],
  ["1::2:3:4:5:6:7", "1:0:2:3"],
  ["::ffff:203.0.113.7", "::ffff:203.0.113.7"],
  ["", ""],
])("maps %s to %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});
