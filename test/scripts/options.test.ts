import { expect, test } from "vitest";
import { optionValue, optionValues, withoutOption } from "../../scripts/options.ts";

test("an option is found in both forms; its last value counts", () => {
  expect(optionValue(["--port", "1", "--ip", "x"], "--port")).toBe("1");
  expect(optionValue(["--port=1", "--port=2"], "--port")).toBe("2");
  expect(optionValue(["--portal=1", "port"], "--port")).toBeUndefined();
});

test("an option may have several values after one name", () => {
  const args = ["--var", "A:1", "B:2", "--port", "1", "--var=C:3"];
  expect(optionValues(args, "--var")).toEqual(["A:1", "B:2", "C:3"]);
});

test("an option is removed with its value", () => {
  expect(withoutOption(["--port", "1", "a", "--port=2", "--ip=x"], "--port")).toEqual(["a", "--ip=x"]);
});
