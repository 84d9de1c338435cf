// What pages do beyond links and forms. They work without it.
"use strict";
(() => {
  // A stream that ends because the reader leaves the page is no error.
  htmx.createEventSource = (address) => {
    const source = new EventSource(address, { withCredentials: true });
    addEventListener("pagehide", () => source.close(), { once: true });
    return source;
  };
  // Whether live lines come in.
  const tell = (word, state) => {
    for (const place of document.querySelectorAll("[data-live]")) {
      const text = place.dataset[word] ?? "";
      if (place.textContent !== text) place.textContent = text;
      place.classList.toggle("on", state === "on");
      place.classList.toggle("off", state === "off");
    }
  };
  document.addEventListener("htmx:sseOpen", () => tell("on", "on"));
  document.addEventListener("htmx:sseError", () => tell("off", "off"));
})();
