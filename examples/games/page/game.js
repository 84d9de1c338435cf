// The page of the game. It shows sums and what the server says: it gives no points.

const at = (id) => document.getElementById(id);
const names = new Intl.DisplayNames("en", { type: "region" });
const CODES = ("AE AR AT AU BD BE BG BR CA CH CL CN CO CZ DE DK EE EG ES ET FI FR GB GH GR HK HR HU ID IE IL IN IR IS IT JP KE KR KZ "
  + "LK LT LU LV MA MX MY NG NL NO NP NZ PE PH PK PL PT RO RS RU SA SE SG SI SK TH TN TR TW TZ UA UG US UY VE VN ZA").split(" ");
const TRIES = 4;
const MOVES = { promote: "moving up", stay: "staying", demote: "moving down" };

let round = null;

/** Sends a request. It is safe to send it again after a lost answer: the server counts a round once. */
async function post(path, body) {
  const options = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  for (let left = TRIES - 1; ; left--) {
    const answer = await fetch(path, options).catch(() => null);
    if (answer?.ok) return answer.json();
    const isLost = !answer || answer.status >= 500;
    if (!isLost || left === 0) throw new Error(answer ? (await answer.json()).error : "The game cannot be reached.");
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

function say(...lines) {
  at("result").replaceChildren(...lines.map((line) => Object.assign(document.createElement("div"), { textContent: line })));
}

async function play(event) {
  event.preventDefault();
  const entry = { player: at("player").value, country: at("country").value };
  localStorage.setItem("entry", JSON.stringify(entry));
  try {
    const begun = await post("rounds", entry);
    round = { ...begun, answers: [], began: performance.now() };
  } catch (error) {
    return say(error.message);
  }
  say(...tellLastWeek(round.lastWeek));
  at("start").hidden = true;
  at("round").hidden = false;
  ask();
  tick();
}

function ask() {
  const [left, right] = round.sums[round.answers.length];
  at("sum").textContent = `${left} + ${right} =`;
  at("answer").value = "";
  at("answer").focus();
}

function answer(event) {
  event.preventDefault();
  round.answers.push(Number(at("answer").value));
  if (round.answers.length < round.sums.length) ask();
}

function tick() {
  const passed = (performance.now() - round.began) / 1000 / round.seconds;
  at("time").value = passed;
  if (passed < 1) requestAnimationFrame(tick);
  else finish();
}

async function finish() {
  at("round").hidden = true;
  at("start").hidden = false;
  try {
    tell(await post("results", { token: round.token, answers: round.answers }));
  } catch (error) {
    say(error.message);
  }
}

function tell({ points, score, world, country, league }) {
  const home = names.of(at("country").value);
  say(
    `${points} points. ${score} points this week: rank ${world} in the world, rank ${country} in ${home}.`,
    `In the ${league.tier} league: rank ${league.rank} of ${league.members}, ${MOVES[league.zone]}.`,
  );
}

function tellLastWeek(last) {
  return last ? [`Last week: rank ${last.rank} of ${last.members} in the ${last.tier} league, ${last.outcome}.`] : [];
}

/** Fills a table with rows of cells. Texts of players are never read as HTML. */
function fill(id, heads, rows, mine) {
  const line = (kind, cells) => {
    const row = document.createElement("tr");
    row.append(...cells.map((cell) => Object.assign(document.createElement(kind), { textContent: cell })));
    if (kind === "td" && cells[1] === mine) row.className = "mine";
    return row;
  };
  const [head, body] = [document.createElement("thead"), document.createElement("tbody")];
  head.append(line("th", heads));
  body.append(...rows.map((cells) => line("td", cells)));
  at(id).replaceChildren(head, body);
}

let live = null;

/** Follows the boards. The browser connects again by itself after a loss. */
function follow() {
  const country = at("country").value;
  at("country-name").textContent = names.of(country);
  live?.close();
  live = new EventSource(`live?country=${country}`);
  live.onopen = () => (at("state").textContent = "Live");
  live.onerror = () => (at("state").textContent = "Connecting");
  live.onmessage = ({ data }) => draw(JSON.parse(data), names.of(country));
}

function draw(boards, home) {
  const me = at("player").value.trim();
  const players = (rows) => rows.map(({ rank, member, score }) => [rank, member, score]);
  fill("world", ["Rank", "Player", "Points"], players(boards.world), me);
  fill("at-home", ["Rank", "Player", "Points"], players(boards.country), me);
  fill("countries", ["Rank", "Country", "Points"], boards.countries.map(({ rank, value, score }) => [rank, nameOf(value), score]), home);
}

/** A country that a forged entry has made up has no name. */
function nameOf(code) {
  return names.of(code) ?? code;
}

function restore() {
  const region = new Intl.Locale(navigator.language).maximize().region;
  const codes = [...new Set([...CODES, region])].filter((code) => /^[A-Z]{2}$/.test(code));
  const countries = codes.map((code) => [names.of(code), code]).sort(([one], [other]) => one.localeCompare(other));
  at("country").append(...countries.map(([name, code]) => new Option(name, code)));
  const { player = "", country = region } = JSON.parse(localStorage.getItem("entry")) ?? {};
  at("player").value = player;
  at("country").value = country;
}

restore();
follow();
at("start").addEventListener("submit", play);
at("round").addEventListener("submit", answer);
at("country").addEventListener("change", follow);
