// The sessions that all clients share, in clients/vectors.json.

import { readFileSync } from "node:fs";

import { requests, type Request } from "leaderboard-client";

import { fieldName, optionName } from "./names.js";

export interface Call {
  readonly command: string;
  readonly arguments: readonly unknown[];
  readonly options: Readonly<Record<string, unknown>>;
  /** Bytes as letters of Latin-1, as in the two replies. */
  readonly words: readonly string[];
  readonly resp2: string;
  readonly resp3: string;
  readonly value?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
}

export interface Session {
  readonly name: string;
  readonly gateway: boolean;
  readonly calls: readonly Call[];
}

const FILE = new URL("../../../vectors.json", import.meta.url);
/** A whole number beyond 2^53 as a value in JSON. */
const LARGE = /(?<=[:[,]\s*)-?\d{16,}(?=\s*[,\]}])/g;

export function sessions(): readonly Session[] {
  const text = readFileSync(FILE, "utf8").replace(LARGE, '"$&"');
  return (JSON.parse(text) as { sessions: Session[] }).sessions;
}

type Make = (...values: readonly unknown[]) => Request<unknown>;

/** Makes the request of a call by the function of its command. */
export function request(call: Call): Request<unknown> {
  const [method, group] = call.command.toLowerCase().split(".").reverse();
  const functions = group === "league" || group === "counter" ? requests[group] : requests;
  const [, make] = Object.entries(functions).find(([name]) => name.toLowerCase() === method?.replaceAll("_", "")) ?? [];
  const options = Object.entries(call.options).map(([name, value]) => [optionName(name), value] as const);
  return (make as Make)(...call.arguments, ...(options.length > 0 ? [Object.fromEntries(options)] : []));
}

/** Returns a value in the form that can be compared: large numbers as strings, and nothing for nil. */
export function plain(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map((item: unknown) => plain(item) ?? null);
  }
  if (typeof value === "object" && value !== null) {
    const all = value instanceof Map ? [...(value as Map<string, unknown>)] : Object.entries(value);
    const fields = all.filter(([, item]) => item !== undefined && item !== null);
    return new Map(fields.map(([name, item]) => [fieldName(name), plain(item)] as const));
  }
  return typeof value === "bigint" || typeof value === "number" ? String(value) : (value ?? undefined);
}
