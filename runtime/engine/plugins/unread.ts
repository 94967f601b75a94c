import type { Hooks } from '../../../plugins/sdk/hooks/hooks.ts';

/** Whether small answers in a dialect are left to plugins to read, because every consumer of their usage can do that. */
export type LeavesUnread = (dialect: string) => boolean;

const never: LeavesUnread = () => false;

/** `usage`: whether the trail records the usage of all attempts. */
export const createLeavesUnread = ({ usageRecorded, deferredUsage }: Hooks, usage: boolean): LeavesUnread => {
  if (usage || !usageRecorded.isUsed()) return never;
  const known = new Map<string, boolean>();
  const isRead = (dialect: string): boolean => {
    const readers = new Set(deferredUsage.get(dialect)?.taps.map(({ name }) => name));
    return usageRecorded.taps.every(({ name }) => readers.has(name));
  };
  return (dialect) => {
    const found = known.get(dialect) ?? isRead(dialect);
    known.set(dialect, found);
    return found;
  };
};
