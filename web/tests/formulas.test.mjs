// Formulas as browsers draw them: MathML without scripts or styles of its own, wide ones scroll, the TeX stays hidden.
import { createRequire } from "node:module";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eq, ok, root, scratch, section, serve, site, test, visit } from "./harness.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const text = String.raw`

## Formulas to test

In a line $x_i^2 \le \sqrt{d_k}$, from $5 to $6.

$$ \operatorname{softmax}(z)_i = \frac{e^{z_i}}{\sum_{j=1}^{n} e^{z_j}} $$

$$
\begin{aligned}
t &= \left\lceil \frac{n}{k} \right\rceil + a + b + c + d + e + f + g + h + i + j + k \\
  &= 1
\end{aligned}
$$

`;

for (const [width, colorScheme] of [[390, "dark"], [1440, "light"]]) {
  test(`formulas are drawn, hold no visible TeX and scroll by themselves, ${width} px`, async () => {
    const content = join(scratch, `formulas-${width}`);
    cpSync(join(root, "content"), content, { recursive: true });
    const file = join(content, "chapters/1-foundations/compute-bound-and-memory-bound.md");
    const old = readFileSync(file, "utf8");
    writeFileSync(file, old.replace("\n## ", () => `${text}\n## `));
    const folder = site({ content, name: `formulas-${width}` });
    ok(readFileSync(join(folder, `${section.slice(0, -1)}.md`), "utf8").includes("\\operatorname{softmax}(z)_i"), "the Markdown lacks the TeX");
    const server = await serve(folder);
    try {
      await visit(server.url + section, async (page) => {
        await page.evaluate(() => document.fonts.ready);
        const all = await page.evaluate(() => [...document.querySelectorAll("math")].map((one) => ({ height: one.getBoundingClientRect().height, tex: one.querySelector("annotation").getBoundingClientRect().width })));
        eq(all.length, 3, "formulas");
        ok(all.every(({ height, tex }) => height > 8 && tex === 0), JSON.stringify(all));
        const sum = await page.evaluate(() => {
          const [sign, below] = [...document.querySelector(".formula munderover, .formula msubsup").children].map((one) => one.getBoundingClientRect());
          return below.top >= sign.top + sign.height / 2 - 1;
        });
        ok(sum, "the lower limit is not below");
        ok((await page.locator("p", { hasText: "from $5 to $6" }).count()) === 1, "amounts became a formula");
        const wide = page.locator(".formula").nth(1);
        eq(await wide.evaluate((one) => one.scrollWidth > one.clientWidth), width < 1000, "the wide formula scrolls");
        eq(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0, "the page's own overflow");
        await page.evaluate(axe);
        const found = await page.evaluate(() => window.axe.run(document.querySelector("article"), { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] }));
        eq(found.violations.map((one) => `${one.id}: ${one.nodes[0].target}`), [], "axe");
      }, { viewport: { width, height: 900 }, colorScheme });
    } finally {
      await server.stop();
    }
  });
}
