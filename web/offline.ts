// The page's side of offline reading: what the footer says, the hint that a new version waits, and installing.
import type { Page } from "./page";
import type { FromWorker } from "./sw-messages";

const size = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

interface InstallPrompt extends Event {
  prompt(): Promise<void>;
  userChoice: Promise<{ outcome: "accepted" | "dismissed" }>;
}

// The browser asks early; the button waits for it.
let asked: InstallPrompt | undefined;
let onAsked = (): void => undefined;
addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  asked = event as InstallPrompt;
  onAsked();
});

async function keep(): Promise<void> {
  try {
    await navigator.storage?.persist?.();
  } catch {
    // The browser decides; the book is kept as long as there is room.
  }
}

/// A button in the footer while the browser offers to install the book.
function install(): void {
  const foot = document.querySelector(".foot");
  if (!foot) return;
  const button = document.createElement("button");
  button.type = "button";
  button.id = "install";
  button.className = "btn";
  button.textContent = "Install";
  button.hidden = true;
  foot.append(button);
  onAsked = (): void => {
    button.hidden = !asked;
  };
  onAsked();
  button.addEventListener("click", async () => {
    if (!asked) return;
    await asked.prompt();
    const { outcome } = await asked.userChoice;
    asked = undefined;
    button.hidden = true;
    if (outcome === "accepted") await keep();
  });
  addEventListener("appinstalled", () => {
    button.hidden = true;
    void keep();
  });
}

export function offline(about: Page): void {
  const line = document.querySelector<HTMLElement>("#offline");
  const say = (words: string): void => {
    if (line && line.textContent !== words) line.textContent = words;
  };
  const container = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (!container || !about.sw) return;
  if (about.live) {
    // While writing, a kept copy would hide what was just written.
    void container.getRegistrations().then((all) => all.forEach((one) => void one.unregister()));
    return;
  }
  install();

  let bar: HTMLElement | undefined;
  let accepted = false;
  const hint = (words: string, act: () => void): void => {
    if (bar) bar.remove();
    bar = document.createElement("div");
    bar.className = "hint-bar";
    bar.setAttribute("role", "status");
    const text = document.createElement("span");
    text.textContent = words;
    const yes = document.createElement("button");
    yes.type = "button";
    yes.className = "btn btn--go";
    yes.textContent = "Reload";
    yes.addEventListener("click", act);
    bar.append(text, yes);
    (document.querySelector(".foot") ?? document.body).append(bar);
  };

  container.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => {
    if (data.type !== "lk-offline") return;
    if (data.state === "saving") say(`${data.update ? "Saving a new version" : "Saving the book for offline reading"}: ${data.percent}%`);
    else if (data.state === "ready") say(`Available offline, ${size(data.bytes)}`);
    else if (data.update) container.controller?.postMessage({ type: "status" });
    else say(`Not saved for offline reading: ${data.why} The next visit tries again.`);
  });

  const waits = (worker: ServiceWorker): void => {
    container.controller?.postMessage({ type: "status" });
    hint("A new version of the book is ready.", () => {
      accepted = true;
      worker.postMessage({ type: "activate" });
    });
  };
  const watch = (worker: ServiceWorker): void => {
    worker.addEventListener("statechange", () => {
      if (worker.state === "installed" && container.controller) waits(worker);
      if (worker.state === "redundant" && line?.textContent?.startsWith("Saving the book")) say("Not saved for offline reading. The next visit tries again.");
    });
  };
  let controlled = Boolean(container.controller);
  container.addEventListener("controllerchange", () => {
    if (accepted) location.reload();
    else if (controlled) hint("This page is from an earlier version of the book.", () => location.reload());
    controlled = true;
  });

  void (async () => {
    try {
      const registration = await container.register(about.sw, { scope: about.base }) as ServiceWorkerRegistration | undefined;
      if (!registration) return;
      if (registration.waiting && container.controller) waits(registration.waiting);
      if (registration.installing) watch(registration.installing);
      registration.addEventListener("updatefound", () => {
        if (registration.installing) watch(registration.installing);
      });
      registration.active?.postMessage({ type: "status" });
      // Long reading sessions look for a new version when the reader comes back.
      let looked = Date.now();
      document.addEventListener("visibilitychange", () => {
        if (document.visibilityState !== "visible" || Date.now() - looked < 3_600_000) return;
        looked = Date.now();
        registration.update().catch(() => undefined);
      });
    } catch (error) {
      console.info(error);
      say("Not saved for offline reading: this browser does not allow it here.");
    }
  })();
}
