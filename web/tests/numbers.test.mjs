import { join } from "node:path";
import { esbuild } from "../esbuild.mjs";
import { eq, root, test } from "./harness.mjs";

async function numbers() {
  const code = await esbuild([join(root, "web/numbers.ts"), "--bundle", "--format=esm"]);
  return import(`data:text/javascript;base64,${Buffer.from(code).toString("base64")}`);
}

test("typed numbers mean what people of every country mean", async () => {
  const { read } = await numbers();
  const cases = [
    ["12", "12"], ["1,5", "1.5"], ["1.5", "1.5"], [" 0,25 ", "0.25"], ["10,000", "10000"], ["1,234,567", "1234567"], ["1,234.5", "1234.5"],
    ["1.234,5", "1234.5"], ["0,125", "0.125"], ["1 000", "1000"], ["1\u202f000,5", "1000.5"], ["1'000", "1000"], ["\u22123", "-3"], ["+3", "3"],
    ["1e3", "1000"], [".5", "0.5"], ["5.", "5"], ["12,34", "12.34"], ["1,00", "1"],
    ["", undefined], ["abc", undefined], ["1..5", undefined], ["1,5,5", undefined], ["--1", undefined], ["NaN", undefined], ["Infinity", undefined], ["1e999", undefined], ["0x10", undefined],
  ];
  for (const [typed, wanted] of cases) eq(read(typed) ?? null, wanted ?? null, JSON.stringify(typed));
  const upTo = (hi) => ({ lo: 0.05, hi });
  eq([read("206,125", "", upTo(1e4)), read("12,125", "", upTo(1e4)), read("1,234", "", upTo(1e4)), read("206,125", "", upTo(1e6))],
    ["206.125", "12.125", "1234", "206125"], "the range decides what three digits after a comma are");
  eq([read("8 elements", "element"), read("1 element", "elements"), read("8elements", "elements")], ["8", "1", "8"], "one and many");
  eq(read("12 FLOP/B", "FLOP/B"), "12", "with its unit");
  eq(read("12 cm", "FLOP/B") ?? null, null, "with another unit");
});

test("positions of a logarithmic slider go up and end at the ends", async () => {
  const { fromPosition } = await numbers();
  const range = { lo: 0.05, hi: 10000, positions: 530 };
  eq([fromPosition(0, range), fromPosition(530, range)], ["0.05", "10000"]);
  let last = 0;
  for (let at = 0; at <= 530; at++) {
    const value = Number(fromPosition(at, range));
    if (!(value > last)) throw new Error(`position ${at} gives ${value} after ${last}`);
    last = value;
  }
});
