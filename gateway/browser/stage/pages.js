// Every page of the console, by the name that tests say.

export const PAGES = {
  boards: "/boards",
  "boards, none found": "/boards?filter=nothing-has-this-name",
  "new board": "/boards/new",
  board: "/boards/cup",
  "board of one day": "/boards/cup?view=day&period=-1",
  "board of one segment": "/boards/cup?dimension=country&segment=SE",
  segments: "/boards/cup/segments",
  "segments of one day": "/boards/cup/segments?view=day&period=-1",
  "no segments": "/boards/songs/segments",
  "board without members": "/boards/nobody",
  "board of votes": "/boards/songs",
  "board of hostile names": "/boards/hostile",
  member: "/boards/cup/members/player-3",
  "member in Chinese": `/boards/songs/members/${encodeURIComponent("茉莉花")}`,
  campaign: "/boards/songs/campaign",
  "history of a board": "/boards/songs/history",
  suspects: "/boards/cup/suspects",
  "scores from CSV": "/boards/cup/scores",
  "campaign of a board of scores": "/boards/cup/campaign",
  options: "/boards/songs/options",
  "no options": "/boards/cup/options",
  "voter check": "/boards/songs/voter",
  "a voter": "/boards/songs/voter?by=user:eager",
  league: "/leagues/course",
  counter: "/counters/visits",
  health: "/health",
  audit: "/audit",
};

/** Pages that have to say that there is nothing of this name: 404. */
export const ABSENT = {
  "absent board": "/boards/absent",
  "absent member": "/boards/cup/members/absent",
  "absent league": "/leagues/absent",
  "absent counter": "/counters/absent",
};
