import type { Clock } from '../../../../../sdk/clock.ts';
import { createLineGate, type LineGate } from './line-gate.ts';

/** One gate for all parts of a batch that this process runs. */
export interface LineGates {
  /** Runs with the gate of a batch. */
  using<Result>(batch: string, run: (gate: LineGate) => Promise<Result>): Promise<Result>;
}

/** Batches whose gates are remembered between their parts. */
const maxRemembered = 100;

export const createLineGates = (clock: Clock): LineGates => {
  const gates = new Map<string, { readonly gate: LineGate; users: number }>();

  const forgetIdle = (): void => {
    for (const [batch, { users }] of gates) {
      if (gates.size <= maxRemembered) return;
      if (users === 0) gates.delete(batch);
    }
  };

  return {
    async using(batch, run) {
      const entry = gates.get(batch) ?? { gate: createLineGate(clock), users: 0 };
      gates.set(batch, entry);
      entry.users += 1;
      try {
        return await run(entry.gate);
      } finally {
        entry.users -= 1;
        forgetIdle();
      }
    },
  };
};
