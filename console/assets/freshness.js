// How old the data of the page is. Each source says when it had news: the stream of a board, a part that asks again and
// again, a plot. Once a source has missed three intervals, the page says since when. One timer judges all of them.
"use strict";
const freshness = (() => {
  const MISSED = 3;
  const TICK = 500;
  const sources = new Map();
  let seen = Date.now();

  // A hidden page asks seldom, so its sources get one interval after it is seen again.
  const isLate = ({ at, every }, now) => now - at > MISSED * every && now - seen > every;

  const moment = (at) => new Date(at).toLocaleString("sv-SE");

  const show = (late) => {
    const notice = document.getElementById("old");
    if (!notice) return;
    const text = late.length ? notice.dataset.text.replace("{}", moment(Math.min(...late.map(({ at }) => at)))) : "";
    if (notice.textContent !== text) notice.textContent = text;
    notice.hidden = !text;
  };

  const judge = () => {
    if (document.visibilityState === "hidden") return;
    const now = Date.now();
    for (const [name, source] of sources) {
      const isOld = isLate(source, now);
      if (isOld === source.isOld) continue;
      source.isOld = isOld;
      document.dispatchEvent(new CustomEvent("freshness", { detail: name }));
    }
    show([...sources.values()].filter(({ isOld }) => isOld));
  };

  document.addEventListener("visibilitychange", () => { seen = Date.now(); });
  setInterval(judge, TICK);

  return {
    /** A source has news now, and has them again within `every` ms. */
    came(name, every) {
      const isOld = sources.get(name)?.isOld ?? false;
      sources.set(name, { at: Date.now(), every, isOld });
      if (isOld) judge();
    },
    /** A source gives no more news, and does not have to. */
    ended(name) {
      sources.delete(name);
    },
    isOld: (name) => sources.get(name)?.isOld ?? false,
  };
})();
