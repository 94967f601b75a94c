import type { Clock } from '../../../identity/clock.ts';

/** How many requests of a batch are under way in this process: more while providers take them, half as many when they push back. */
export interface LineGate {
  /** Waits for room; resolves to false, without taking any, once `stop` says so. */
  enter(stop: { readonly isStopped: () => boolean; onStop(run: () => void): () => void }): Promise<boolean>;
  /** `pushedBack`: the provider asks for fewer requests, and for none within so many milliseconds. */
  leave(outcome: { readonly pushedBack: number | undefined }): void;
}

const first = 4;
const most = 32;

export const createLineGate = (clock: Clock): LineGate => {
  let room = first;
  let inside = 0;
  /** Grows by 1 whenever as many as there is room for were taken. */
  let taken = 0;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let lastCut = Number.NEGATIVE_INFINITY;
  const waiting = new Set<() => void>();

  const letIn = (): void => {
    for (const look of [...waiting]) look();
  };

  const isOpen = (): boolean => inside < room && clock.monotonic() >= pausedUntil;

  return {
    enter: (stop) =>
      new Promise((resolve) => {
        let stopListening = (): void => {};
        const settle = (isIn: boolean): void => {
          waiting.delete(look);
          stopListening();
          if (isIn) inside += 1;
          resolve(isIn);
        };
        const look = (): void => {
          if (stop.isStopped()) settle(false);
          else if (isOpen()) settle(true);
        };
        waiting.add(look);
        look();
        if (waiting.has(look)) stopListening = stop.onStop(look);
      }),
    leave({ pushedBack }) {
      inside -= 1;
      const now = clock.monotonic();
      if (pushedBack === undefined) {
        taken += 1;
        if (taken >= room) {
          room = Math.min(most, room + 1);
          taken = 0;
        }
      } else {
        // Those that were under way together are pushed back together, for one reason.
        if (now - lastCut > 1000) room = Math.max(1, Math.floor(room / 2));
        lastCut = now;
        taken = 0;
        if (now + pushedBack > pausedUntil) {
          pausedUntil = now + pushedBack;
          clock.after(pushedBack, letIn);
        }
      }
      letIn();
    },
  };
};
