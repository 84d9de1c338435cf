// What pages do beyond links and forms. They work without it.
"use strict";
(() => {
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
