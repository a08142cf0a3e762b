import { eq, live, ok, painted, section, sentence, serve, site, test, until, visit } from "./harness.mjs";

const on = (name, run, options = {}) => test(name, async () => {
  const server = await serve(site());
  try {
    await visit(server.url + section + (options.query ?? ""), (page, faults, context) => run(page, server, context), options);
  } finally {
    await server.stop();
  }
});
const values = (page) => page.locator("data.value[data-all]").evaluateAll((all) => all.map((one) => one.textContent));
/// The text of the device, or of the book's where it has none.
const expected = (page, device) => page.locator("data.value[data-all]").evaluateAll((all, id) => {
  const options = [...document.querySelectorAll("#device option")];
  const at = (value) => options.findIndex((option) => option.value === value);
  return all.map((one) => one.dataset.all.split(" ")).map((texts) => texts[at(id)] || texts[at("h200")]);
}, device);
const lacking = (page, device) => page.locator("data.value[data-all]").evaluateAll((all, id) => {
  const at = [...document.querySelectorAll("#device option")].findIndex((option) => option.value === id);
  return all.map((one) => !one.dataset.all.split(" ")[at]);
}, device);
const borrowed = (page) => page.locator("data.value[data-all]").evaluateAll((all) => all.map((one) => one.classList.contains("value--book")));

on("numbers in the text follow the device picker, without moving the text", async (page) => {
  ok((await values(page)).length > 0, "the section has no following value");
  const places = () => page.locator("main :is(p:not(.fig__note), h2, dl)").evaluateAll((all) => all.map((one) => one.offsetHeight));
  const before = await places();
  const figure = await live(page, "roofline");
  const words = await sentence(figure);
  for (const device of await page.locator("#device option").evaluateAll((all) => all.map((one) => one.value))) {
    await page.selectOption("#device", device);
    await painted(page);
    eq(await values(page), await expected(page, device), device);
    eq(await borrowed(page), await lacking(page, device), `numbers marked as the book's with ${device}`);
    eq(await places(), before, `heights with ${device}`);
  }
  await page.selectOption("#device", "a100_80gb");
  await until(async () => (await sentence(figure)) !== words, "the figure to follow the device");
  eq(await page.evaluate(() => location.search), "", "the address");
  await page.reload();
  eq(await page.inputValue("#device"), "a100_80gb", "the device after a reload");
  eq(await values(page), await expected(page, "a100_80gb"), "values after a reload");
  ok((await values(page)).some((text, n) => text !== "206" || n > 0), "values changed at all");
  await page.selectOption("#device", "h200");
  eq(await page.evaluate(() => localStorage.getItem("lk-device")), null, "what is remembered of the book's own device");
});

on("a link's device goes before the remembered one and is not kept", async (page) => {
  eq(await page.inputValue("#device"), "b200");
  eq(await values(page), await expected(page, "b200"));
  eq(await page.evaluate(() => localStorage.getItem("lk-device")), null);
  await page.selectOption("#device", "a100_40gb");
  eq(await page.evaluate(() => location.search), "", "the address after a choice");
}, { query: "?device=b200" });

on("a device nobody knows is passed over", async (page) => {
  eq(await page.inputValue("#device"), "h200");
  eq(await values(page), await expected(page, "h200"));
}, { query: "?device=abacus" });

let comes = () => {};
const held = new Promise((done) => (comes = done));
on("no wrong number is seen before the script has come", async (page) => {
  // The script is held back: the numbers of the book's device must not show in the meantime.
  await page.locator("data.value[data-all]").first().waitFor({ state: "attached" });
  const color = await page.locator("data.value[data-all]").first().evaluate((el) => getComputedStyle(el).color);
  ok(/, 0\)$/.test(color) || color === "transparent", `a value shows in ${color}`);
  comes();
  await until(async () => JSON.stringify(await values(page)) === JSON.stringify(await expected(page, "a100_80gb")), "the numbers of the reader's device");
  const later = await page.locator("data.value[data-all]").first().evaluate((el) => getComputedStyle(el).color);
  ok(!/, 0\)$/.test(later), `the value stays ${later}`);
}, { waitUntil: "commit", init: () => localStorage.setItem("lk-device", "a100_80gb"), before: (page) => page.route("**/assets/main.*.js", async (route) => {
  await held;
  await route.continue();
}) });

on("closed storage hurts nobody", async (page) => {
  await page.selectOption("#device", "b200");
  eq(await values(page), await expected(page, "b200"));
  await page.click("#theme");
  eq(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  await live(page, "roofline");
}, { init: () => Object.defineProperty(window, "localStorage", { get() { throw new DOMException("closed", "SecurityError"); } }) });

on("each press of the theme button shows, is remembered and stands before the first paint; back at the system's theme the page follows it", async (page) => {
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const label = () => page.locator("#theme").getAttribute("aria-label");
  const dark = await background();
  ok(/light/.test(await label()), "the button says where it leads");
  await page.click("#theme");
  const light = await background();
  ok(light !== dark, "light is like dark");
  ok(/dark/.test(await label()), "and where it leads now");
  await page.click("#theme");
  eq(await background(), dark, "as the system");
  await page.emulateMedia({ colorScheme: "light" });
  eq(await background(), light, "the page follows the system");
  await page.click("#theme");
  eq(await background(), dark, "the choice goes before the system");
  await page.route("**/assets/main.*.js", (route) => route.abort());
  await page.reload();
  eq(await background(), dark, "after a reload, without the page script");
}, { colorScheme: "dark", allow: /Failed to load|ERR_FAILED/ });
