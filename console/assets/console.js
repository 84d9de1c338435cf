// What pages do beyond links and forms. They work without it.
"use strict";
(() => {
  // A stream that ends because the reader leaves the page is no error.
  htmx.createEventSource = (address) => {
    const source = new EventSource(address, { withCredentials: true });
    addEventListener("pagehide", () => source.close(), { once: true });
    for (const kind of ["alive", "rows"]) source.addEventListener(kind, hear);
    return source;
  };
  // A board that does not change sends no lines, but its stream shows every 2 seconds that it lives.
  const hear = () => freshness.came("stream", 2000);
  if (document.querySelector("[sse-connect]")) hear();
  // Whether live lines come in.
  const tell = (word, state) => {
    for (const place of document.querySelectorAll("[data-live]")) {
      const text = place.dataset[word] ?? "";
      if (place.textContent !== text) place.textContent = text;
      place.classList.toggle("on", state === "on");
      place.classList.toggle("off", state === "off");
    }
  };
  // Lines can come in while the server gives no new ones: then they say that they are not the newest.
  const isStale = () => document.querySelector("[data-stale]") !== null || freshness.isOld("stream");
  const look = () => (isStale() ? tell("staleText", "off") : tell("on", "on"));
  document.addEventListener("htmx:sseOpen", look);
  document.addEventListener("htmx:sseMessage", look);
  document.addEventListener("htmx:sseError", () => tell("off", "off"));
  document.addEventListener("freshness", ({ detail }) => detail === "stream" && look());
  // A part that asks again and again says how often: data-every.
  const polled = (part) => freshness.came(`#${part.id}`, Number(part.dataset.every));
  document.querySelectorAll("[data-every]").forEach(polled);
  document.addEventListener("htmx:afterRequest", ({ detail }) => {
    // The part that asked may have been replaced already by what came.
    const { elt } = detail.requestConfig;
    if (detail.successful && elt.matches("[data-every]")) polled(elt);
  });
  // What is chosen in a list shows at once. With the keyboard, arrows pass over other choices, so the button shows it.
  let hasKeys = false;
  document.addEventListener("keydown", () => { hasKeys = true; });
  document.addEventListener("pointerdown", () => { hasKeys = false; });
  document.addEventListener("change", ({ target }) => {
    if (!hasKeys && target.matches("form.bar[method=get] select")) target.form.requestSubmit();
  });
})();
