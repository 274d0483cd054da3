// Numbers, times and sentences as they are shown. Pure.

import type { EventUsage } from "../../src/protocol/generated";

/** A count as 812, 9.1k, 128k, 1.2M. */
export function short(n: number): string {
  if (n < 1000) return String(n);
  const [scaled, unit] = n < 999_500 ? [n / 1000, "k"] : [n / 1_000_000, "M"];
  return `${scaled < 9.95 ? scaled.toFixed(1).replace(/\.0$/, "") : Math.round(scaled)}${unit}`;
}

/** How full the context is, from 0 to 1; 0 where its size is not known. */
export function usedShare({ used, size }: Pick<EventUsage, "used" | "size">): number {
  return size > 0 ? Math.min(1, Math.max(0, used / size)) : 0;
}

/** How long ago that was, as now, 5 min, 3 h, yesterday, 4 days, or the date. */
export function ago(then: string, now: number): string {
  const minutes = Math.floor((now - Date.parse(then)) / 60_000);
  if (!(minutes >= 1)) return "now";
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h`;
  const days = Math.floor(minutes / (24 * 60));
  return days === 1 ? "yesterday" : days < 30 ? `${days} days` : new Date(then).toLocaleDateString();
}

export { sentence } from "../../src/daemon/sentence";
