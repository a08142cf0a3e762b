// The page's own script. Figures bring theirs along only where there are some.
import { Device } from "./device";
import type { Start } from "./figures";
import { keys } from "./keys";
import { offline } from "./offline";
import { after, page } from "./page";
import { contents, drawer, listings, theme } from "./shell";
import { searchButton } from "./search_button";
import { terms } from "./terms";

const about = page();
const device = new Device(about.device);
theme();
drawer();
listings();
searchButton(about);
terms(about.terms);
contents();
keys();
if (document.querySelector("figure[data-figure]")) {
  void import(new URL("./figures.js", import.meta.url).href).then((figures: { start(with_: Start): void }) =>
    figures.start({ page: about, device: () => device.choice(), onDevice: (listener) => device.onChange(listener) })).catch(() => {
    for (const body of document.querySelectorAll("figure[data-figure] .fig__body")) {
      const words = document.createElement("p");
      words.className = "fig__note fig__note--error";
      words.textContent = "This figure cannot move: the program for it did not load. The picture shows its resting state. Check the connection, then reload the page.";
      body.after(words);
    }
  });
}
// Where the reader is and was. Should it not load, nothing of the text is missing.
if (document.querySelector("article[data-section], main.home, .side"))
  after(() => void import(new URL("./place.js", import.meta.url).href).catch(() => undefined));
after(() => offline(about));
