// The names of this client for those in docs/commands.json.

const COMPOUND: Readonly<Record<string, string>> = {
  joinuntil: "joinUntil",
  maxmembers: "maxMembers",
  min_max: "minMax",
  notifytop: "notifyTop",
  prizedays: "prizeDays",
  weekstart: "weekStart",
  withchange: "withChange",
  withmeta: "withMeta",
  withzone: "withZone",
};

/** Returns the name of an option. */
export function optionName(name: string): string {
  return COMPOUND[name] ?? name;
}

/** Returns the same for `old_score` and `oldScore`. */
export function fieldName(name: string): string {
  return name.replaceAll("_", "").toLowerCase();
}
