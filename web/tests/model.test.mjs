// The page "How good is the model": from a dot to its row, its samples and its command.
import { box, field, live, ok, sentence, serve, site, test, until, visit } from "./harness.mjs";

test("a click on a dot follows its row, and the address and the command say which", async () => {
  const server = await serve(site());
  try {
    await visit(server.url + "model/", async (page) => {
      const figure = await live(page, "model_error");
      const command = () => figure.locator(".fig__draw svg").evaluate((svg) => svg.textContent.slice(svg.textContent.indexOf("lk predict")));
      const before = await sentence(figure);
      // Others may lie over it: the click goes to the dot itself.
      await figure.locator(".fig__draw [data-set='row=3']").first().dispatchEvent("click");
      await until(async () => (await box(figure, "row").inputValue()) === "3", "the field to follow");
      ok((await sentence(figure)) !== before, "the sentence stayed");
      await until(() => new URL(page.url()).search === "?model_error.row=3", "the address");
      const kernel = /\. (\w+) with /.exec(await sentence(figure))?.[1];
      ok((await command()).startsWith(`lk predict ${kernel} `), `the command is ${await command()}, the sentence names ${kernel}`);
      // A pale dot leads to its family.
      await field(figure, "family").locator("select").selectOption("copy");
      await until(async () => /^Over 15\srows/.test(await sentence(figure)), "the family alone");
      await figure.locator(".fig__draw [data-set='family=layer']").first().dispatchEvent("click");
      await until(async () => /^Over 7\srows/.test(await sentence(figure)), "the other family");
    });
  } finally {
    await server.stop();
  }
});
