// What the boards of the tests hold.

export const HOSTILE = [
  `<script>document.title = "taken"</script>`,
  `"><img src=x onerror="document.title='taken'">`,
  `' onfocus='document.title=1' autofocus='`,
  `{{ 7 * 7 }}\${7*7}`,
  `=HYPERLINK("http://example.org")`,
  `\u202Egnp.exe\u202C\u2066`,
  `a/../b?c=d&e#f%2F`,
  " ",
  "x".repeat(512),
  "长".repeat(170),
  "e" + "\u0301".repeat(200),
  "👩‍👩‍👧‍👦",
];

/** A word as redis-cli reads it from its input, byte by byte. */
export function quoted(text) {
  const bytes = Buffer.isBuffer(text) ? text : Buffer.from(text);
  const shown = Array.from(bytes, (byte) => `\\x${byte.toString(16).padStart(2, "0")}`);
  return `"${shown.join("")}"`;
}

const SONGS = { "Harbour Lights": 31, "月亮代表我的心": 23, "Paper Boats": 17, "茉莉花": 5 };

function songs() {
  const create = "LB.CREATE songs VIEWS all,minute,day TZ Asia/Shanghai RETAIN 5 SHOWN LIMIT perminute voter 5 minute BONUS channel radio 5";
  const option = ([name, votes]) => [
    `LB.OPTION songs ${quoted(name)} WEIGHT 2 INITIAL 3 META ${quoted(`By ${name}`)}`,
    ...Array.from({ length: votes }, (_, voter) => `LB.VOTE songs 1 ${quoted(name)} BY user:${voter}`),
  ];
  const held = Array.from({ length: 9 }, () => "LB.VOTE songs 1 \"Paper Boats\" BY user:eager");
  return [create, ...Object.entries(SONGS).flatMap(option), ...held];
}

function scores() {
  const create = "LB.CREATE cup VIEWS all,day,day:7 CLOCK EVENT RETAIN 10 TZ Europe/Paris SEGMENTS country:SUM,guild";
  const day = (day) => Array.from({ length: 130 }, (_, member) =>
    `LB.ADD cup ${1_000_000 - member * 7_001 + ((member * day) % 5) * 20_000} player-${member} SEGMENT country ${["SE", "NO", "中国"][member % 3]} AT ${Date.UTC(2026, 4, day, 12)}`);
  return [create, ...[1, 2, 3, 4].flatMap(day), "LB.SETMETA cup player-0 \"Ann from Accra\""];
}

function league() {
  const players = Array.from({ length: 40 }, (_, player) => [
    `LB.LEAGUE.JOIN course p${player} META ${quoted(player % 2 ? `选手${player}` : `Player ${player}`)}`,
    `LB.LEAGUE.ADD course ${(player * 37) % 101} p${player}`,
  ]);
  return ["LB.LEAGUE.CREATE course TIERS bronze,silver PROMOTE 7,0 DEMOTE 0,5 CYCLE week GROUP 15 RETAIN 2", ...players.flat()];
}

function counter() {
  const now = Date.now();
  const minutes = Array.from({ length: 60 }, (_, minute) => `LB.COUNTER.INCR visits BY ${(minute * 13) % 29} AT ${now - minute * 60_000}`);
  return ["LB.COUNTER.CREATE visits PRECISIONS 1,60,3600 SAMPLES 100", ...minutes];
}

function hostile() {
  const members = HOSTILE.map((name, place) => `LB.ADD hostile ${1_000 - place} ${quoted(name)} META ${quoted(name)}`);
  const raw = `LB.ADD hostile 1 ${quoted(Buffer.from([0xff, 0xfe, 0x00, 0x3c, 0x62, 0x3e]))}`;
  return [...members, raw];
}

/** Fills a server with a campaign, a board of scores, a league, a counter, and a board of hostile names. */
export function fill(server) {
  return server.send([...songs(), ...scores(), ...league(), ...counter(), ...hostile(), "LB.CREATE nobody"]);
}
