// An author saves, the page shows it.
import { ok, test } from "./harness.mjs";
import { saves } from "./live.mjs";

test("a save shows in the page at once, and the reader's place is kept", async () => {
  const found = await saves(3);
  const times = found.map(({ ms }) => ms).sort((a, b) => a - b);
  console.log(`    from save to page: ${times.join(", ")} ms`);
  for (const { moved } of found) ok(moved <= 1, `the page moved by ${moved} px`);
  // The bench holds 300 ms on a quiet machine; here others may be at work.
  ok(times[1] < 1000, `half of the saves took ${times[1]} ms or more`);
}, { alone: true });
