import { refusal } from './refusal.ts';

/** Pairs the results of tools with their calls, for formats in which a conversation continues only after all results. */
export interface CallLedger {
  call(id: string, at: string): void;
  result(id: string, at: string): void;
  /** Throws if a call still has no result. */
  settle(at: string): void;
}

export const createCallLedger = (): CallLedger => {
  const open = new Set<string>();
  const ever = new Set<string>();
  return {
    call(id, at) {
      if (ever.has(id)) throw refusal(at, `another call has the id "${id}".`);
      ever.add(id);
      open.add(id);
    },
    result(id, at) {
      if (!open.delete(id)) throw refusal(at, `no call with the id "${id}" waits for a result.`);
    },
    settle(at) {
      if (open.size > 0) throw refusal(at, `the calls ${[...open].join(', ')} have no results before it.`);
    },
  };
};
