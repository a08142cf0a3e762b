// A figure alone in somebody's page: it follows its own address and tells the page around it how high it is.
import type { Start } from "./figures";
import { page } from "./page";

const about = page();
const device = new URLSearchParams(location.search).get("device") ?? undefined;
const figure = document.querySelector<HTMLElement>("figure[data-figure]");

let told = 0;
function tell(): void {
  if (!figure || parent === window) return;
  const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
  if (height === told) return;
  told = height;
  parent.postMessage({ type: "learn-kernels:height", id: figure.dataset["figure"], height }, "*");
}

delete document.documentElement.dataset["away"];
if (figure) {
  new ResizeObserver(tell).observe(document.documentElement);
  tell();
  void import(new URL("./figures.js", import.meta.url).href).then((figures: { start(with_: Start): void }) =>
    figures.start({ page: about, device: () => device, onDevice: () => undefined, address: false, onSize: tell }));
}
