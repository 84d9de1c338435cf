// Draws the figures that name their data: <figure data-plot="/plots/server/ops" data-unit="commands/s">.
// Without it, each figure still tells its latest and greatest value.
//   data-kind="bars"   counts of slices; they can be zoomed by dragging
//   data-zone="UTC"    the time zone of the times, else the browser's
//   data-about="key"   what the page is about; a line of this name needs no name
//   data-fixed         the data does not grow
//   data-form="id"     a form whose fields `from` and `to` follow the zoom
"use strict";
(() => {
  const TEXTS = {
    en: { hour: "Hour", day: "Day", week: "Week", month: "Month", year: "Year", range: "How far back", reset: "Show all", now: "Now", hourMost: "Greatest in the last hour",
      dayMost: "Greatest in the last day", weekMost: "Greatest in the last week", monthMost: "Greatest in the last month",
      yearMost: "Greatest in the last year", most: "Greatest", last: "Latest", silent: "no answer", unread: "not read yet", none: "Nothing read yet.",
      failed: "No answer. Trying again." },
    zh: { hour: "小时", day: "天", week: "周", month: "月", year: "年", range: "时间范围", reset: "显示全部", now: "当前", hourMost: "近一小时最大值",
      dayMost: "近一天最大值", weekMost: "近一周最大值", monthMost: "近一月最大值", yearMost: "近一年最大值", most: "最大值", last: "最新", silent: "无响应", unread: "尚未读取", none: "尚未读到数据。",
      failed: "没有响应，正在重试。" },
  }[document.documentElement.lang.startsWith("zh") ? "zh" : "en"];
  const SPAN = { hour: 3600, day: 86400, week: 7 * 86400, month: 31 * 86400, year: 366 * 86400 };
  const EVERY = { hour: 2000, day: 15000, week: 60000, month: 60000, year: 60000 };
  // How many of the newest values a silent server has to miss: seconds of the last hour.
  const RECENT = 4;
  const COLOURS = 6;

  const make = (name, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };

  const grouped = (value) => {
    const rounded = Math.round(value * 10) / 10;
    return rounded.toLocaleString("en-US", { maximumFractionDigits: 1 });
  };

  const bytes = (value) => {
    let unit = 0;
    while (value >= 1000 && unit < 4) { value /= 1000; unit += 1; }
    return `${grouped(value)} ${["B", "KB", "MB", "GB", "TB"][unit]}`;
  };

  const short = (value) => {
    for (const [size, letter] of [[1e9, "G"], [1e6, "M"], [1e4, "k"]]) {
      if (Math.abs(value) >= size) return grouped(value / (letter === "k" ? 1e3 : size)) + letter;
    }
    return value.toLocaleString("en-US", { maximumFractionDigits: 2 });
  };

  class Plot {
    constructor(figure) {
      this.figure = figure;
      this.unit = figure.dataset.unit ?? "";
      this.isBars = figure.dataset.kind === "bars";
      this.zone = figure.dataset.zone;
      this.range = "hour";
      this.data = { times: [], series: [] };
      this.isZoomed = false;
      this.build();
      new ResizeObserver(() => this.resize()).observe(this.canvas);
      this.note();
      this.refresh();
    }

    // A figure that grows has to have news within its interval.
    note() {
      if (!this.isFixed()) freshness.came(this.figure.dataset.plot, EVERY[this.range]);
    }

    // The gateway answers from memory while the server is silent: then the newest values are missing. A plot without any value
    // is not old.
    hasNews() {
      const newest = this.data.series.flatMap((line) => line.values.slice(-RECENT));
      return !newest.length || newest.some((value) => value !== null);
    }

    isFixed() {
      return "fixed" in this.figure.dataset;
    }

    build() {
      const caption = this.figure.querySelector("figcaption");
      const label = caption?.textContent.trim() ?? "";
      this.canvas = make("div", { className: this.isBars ? "plot-canvas tall" : "plot-canvas" });
      this.canvas.setAttribute("role", "img");
      this.canvas.setAttribute("aria-label", label);
      this.area = make("div", { className: "plot-area" });
      this.at = make("div", { className: "plot-at" });
      this.canvas.append(this.area, this.at);
      this.choice = make("div", { className: "plot-choice" });
      this.choice.setAttribute("role", "group");
      this.choice.setAttribute("aria-label", `${label}: ${TEXTS.range}`);
      if (this.isBars) this.addReset(); else this.addRanges();
      this.text = this.figure.querySelector(".plot-text") ?? make("p", { className: "plot-text" });
      this.text.before(this.canvas);
      if (!this.canvas.isConnected) this.figure.append(this.canvas, this.text);
      (caption ?? this.canvas).after(this.choice);
    }

    addRanges() {
      this.ranges = (this.figure.dataset.ranges ?? "hour day").split(" ");
      for (const range of this.ranges) {
        const button = make("button", { type: "button", textContent: TEXTS[range] });
        button.setAttribute("aria-pressed", String(range === this.range));
        button.addEventListener("click", () => this.choose(range));
        this.choice.append(button);
      }
    }

    addReset() {
      const button = make("button", { type: "button", textContent: TEXTS.reset, hidden: true });
      button.addEventListener("click", () => this.showAll());
      this.choice.append(button);
      this.reset = button;
    }

    choose(range) {
      this.range = range;
      this.ranges.forEach((its, place) => {
        this.choice.children[place].setAttribute("aria-pressed", String(its === range));
      });
      this.data = { times: [], series: [] };
      this.refresh();
    }

    async refresh() {
      clearTimeout(this.timer);
      this.request?.abort();
      const request = new AbortController();
      this.request = request;
      try {
        const answer = await fetch(this.address(), { signal: AbortSignal.any([request.signal, AbortSignal.timeout(10000)]),
          headers: { accept: "application/json" } });
        if (!answer.ok || answer.redirected) throw new Error(String(answer.status));
        this.take(await answer.json());
        if (this.hasNews()) this.note();
        this.draw();
      } catch {
        if (request.signal.aborted) return;
        this.at.textContent = TEXTS.failed;
      }
      if (!this.isFixed()) this.timer = setTimeout(() => this.again(), EVERY[this.range]);
    }

    // Hidden pages ask nothing; `visibilitychange` asks when they are seen again.
    again() {
      if (!this.figure.isConnected) {
        freshness.ended(this.figure.dataset.plot);
        return;
      }
      if (document.visibilityState === "visible") this.refresh();
    }

    address() {
      if (this.isBars) return this.figure.dataset.plot;
      const last = this.data.times.at(-1) ?? 0;
      return `${this.figure.dataset.plot}?range=${this.range}&after=${last}`;
    }

    // Puts new values behind the ones that are there.
    take(news) {
      const old = this.data;
      const isSame = !this.isBars && old.series.length === news.series.length
        && old.series.every((line, place) => line.label === news.series[place].label);
      if (!isSame || !news.times.length) {
        const isFirst = old.times.length === 0 || this.isBars;
        // A server more or less: all of it is read again.
        this.data = isFirst ? news : { times: [], series: [] };
        return;
      }
      const from = Math.max(news.times[0], 0);
      const start = news.times.at(-1) - SPAN[this.range];
      const kept = old.times.map((time, place) => place).filter((place) => old.times[place] < from && old.times[place] > start);
      this.data = {
        times: [...kept.map((place) => old.times[place]), ...news.times],
        series: news.series.map((line, row) => ({
          label: line.label,
          values: [...kept.map((place) => old.series[row].values[place]), ...line.values],
        })),
      };
    }

    draw() {
      this.tell();
      this.at.textContent = "";
      if (!this.data.times.length) {
        this.clear();
        this.area.replaceChildren(make("p", { className: "plot-empty", textContent: TEXTS.none }));
        return;
      }
      const values = [this.data.times, ...this.data.series.map((line) => line.values)];
      const shape = this.data.series.map((line) => line.label).join("\n");
      if (this.plot && shape === this.shape) {
        this.plot.setData(values, !this.isZoomed);
        return;
      }
      this.shape = shape;
      this.clear();
      this.area.replaceChildren();
      this.plot = new uPlot(this.options(), values, this.area);
    }

    clear() {
      this.plot?.destroy();
      this.plot = undefined;
    }

    options() {
      const style = getComputedStyle(this.canvas);
      const axis = { stroke: style.color, grid: { stroke: style.borderTopColor, width: 1 }, ticks: { show: false },
        font: `12px ${style.fontFamily}` };
      return {
        ...this.size(),
        legend: { show: false },
        cursor: { y: false, drag: { x: this.isBars, y: false }, points: { show: !this.isBars } },
        tzDate: this.zone ? (time) => uPlot.tzDate(new Date(time * 1000), this.zone) : undefined,
        scales: { x: { range: (plot, low, high) => this.span(low, high) }, y: { range: (plot, low, high) => [Math.min(0, low ?? 0), (high || 1) * 1.08] } },
        axes: [
          { ...axis, size: 28, space: 70, values: (plot, times, place, space, step) => times.map((time) => this.clock(time, step)) },
          { ...axis, size: 62, space: 36, values: (plot, ticks) => ticks.map((tick) => this.unit === "bytes" ? bytes(tick) : short(tick)) },
        ],
        series: [{}, ...this.data.series.map((line, place) => this.line(place))],
        hooks: {
          setCursor: [(plot) => this.point(plot)],
          setSelect: [(plot) => this.zoomed(plot)],
        },
      };
    }

    // The last bar stands to the right of its time. Without a margin, the axis around a single time would be of years.
    span(low, high) {
      const { times } = this.data;
      if (times.length === 1) {
        const margin = SPAN[this.range] / 60;
        return [times[0] - margin, times[0] + margin];
      }
      const isLast = this.isBars && times.length > 1 && high === times.at(-1);
      return [low, isLast ? high + (times.at(-1) - times.at(-2)) : high];
    }

    line(place) {
      const stroke = this.colour(place);
      const isAlone = this.data.series.length === 1;
      const faint = stroke.replace("rgb(", "rgba(").replace(")", ", .14)");
      return {
        stroke, width: this.isBars ? 1 : 1.5, spanGaps: false, points: { show: this.isBars ? false : undefined, size: 4 },
        fill: this.isBars ? stroke : (isAlone ? faint : undefined),
        paths: this.isBars ? uPlot.paths.bars({ size: [0.9, 40], align: 1, gap: 1 }) : undefined,
      };
    }

    // Canvases know no CSS variables, so the colour is asked of an element.
    colour(place) {
      const probe = make("i", { className: `line-${(place % COLOURS) + 1}` });
      this.figure.append(probe);
      const colour = getComputedStyle(probe).color;
      probe.remove();
      return colour;
    }

    clock(time, step) {
      const { day, minute, second } = this.parts(time);
      if (step >= 86400) return day.slice(5);
      return step < 60 ? second : minute;
    }

    // A time in parts: 2026-11-22, 18:04 and 18:04:31.
    parts(time) {
      this.clocks ??= new Intl.DateTimeFormat("en-GB", { hourCycle: "h23", timeZone: this.zone, year: "numeric", month: "2-digit",
        day: "2-digit", hour: "2-digit", minute: "2-digit", second: "2-digit" });
      const its = Object.fromEntries(this.clocks.formatToParts(time * 1000).map((part) => [part.type, part.value]));
      const minute = `${its.hour}:${its.minute}`;
      return { day: `${its.year}-${its.month}-${its.day}`, minute, second: `${minute}:${its.second}` };
    }

    amount(value) {
      if (value === null || value === undefined) return TEXTS.silent;
      return this.unit === "bytes" ? bytes(value) : `${grouped(value)}${this.unit && !this.unit.startsWith("/") ? " " : ""}${this.unit}`;
    }

    // A single line is named if it is not all of what the page is about, such as one rule of a board.
    isNamed({ label }) {
      const { about } = this.figure.dataset;
      return this.data.series.length > 1 || (about !== undefined && label !== about);
    }

    // What is under the mouse.
    point(plot) {
      const place = plot.cursor.idx;
      if (place === null || place === undefined) {
        this.at.textContent = "";
        return;
      }
      const { day, second } = this.parts(this.data.times[place]);
      const time = this.isBars || this.range !== "hour" ? `${day} ${second}` : second;
      const values = this.data.series.map((line) => {
        const amount = this.amount(line.values[place]);
        return this.isNamed(line) ? `${line.label}: ${amount}` : amount;
      });
      this.at.textContent = [time, ...values].join(" · ");
    }

    zoomed(plot) {
      if (!this.isBars || plot.select.width < 4) return;
      const from = plot.posToVal(plot.select.left, "x");
      const to = plot.posToVal(plot.select.left + plot.select.width, "x");
      this.isZoomed = true;
      this.reset.hidden = false;
      this.fill(from, to);
    }

    showAll() {
      this.isZoomed = false;
      const { times } = this.data;
      this.plot?.setData(this.plot.data, true);
      if (times.length) this.fill(times[0], times.at(-1));
      this.figure.querySelector("figcaption")?.setAttribute("tabindex", "-1");
      this.figure.querySelector("figcaption")?.focus();
      this.reset.hidden = true;
    }

    // The fields of the form tell the same range; its times are those of UTC.
    fill(from, to) {
      const form = document.getElementById(this.figure.dataset.form);
      if (!form) return;
      const text = (time) => new Date(Math.floor(time) * 1000).toISOString().slice(0, 19);
      form.elements.from.value = text(from);
      form.elements.to.value = text(to);
    }

    tell() {
      const { series } = this.data;
      if (!series.length) return;
      const greatest = this.isBars ? TEXTS.most : TEXTS[`${this.range}Most`];
      const rows = series.map((line, place) => {
        const known = line.values.filter((value) => value !== null);
        const most = known.length ? known.reduce((a, b) => Math.max(a, b)) : null;
        // After a restart of the gateway, a server that answers has no values yet.
        const amount = (value) => (known.length ? this.amount(value) : TEXTS.unread);
        const name = !this.isNamed(line) ? [] : [make("bdi", { className: "plot-name" },
          make("i", { className: `plot-key line-${(place % COLOURS) + 1}` }), line.label)];
        return make("li", {}, ...name,
          make("span", {}, `${this.isBars ? TEXTS.last : TEXTS.now} `, make("b", { textContent: amount(line.values.at(-1)) })), " ",
          make("span", {}, `${greatest} `, make("b", { textContent: amount(most) })));
      });
      const list = make("ul", { className: "plot-text" }, ...rows);
      this.text.replaceWith(list);
      this.text = list;
    }

    size() {
      return { width: Math.max(this.canvas.clientWidth, 50), height: Math.max(this.canvas.clientHeight, 50) };
    }

    resize() {
      this.plot?.setSize(this.size());
    }

    // Other colours: light and dark changed.
    repaint() {
      this.shape = undefined;
      this.draw();
    }
  }

  const plots = [...document.querySelectorAll("figure[data-plot]")].map((figure) => new Plot(figure));
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") plots.forEach((plot) => plot.again());
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => plots.forEach((plot) => plot.repaint()));
})();
