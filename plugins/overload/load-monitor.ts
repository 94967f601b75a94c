import { monitorEventLoopDelay } from 'node:perf_hooks';
import { constrainedMemory, memoryUsage } from 'node:process';
import { getHeapStatistics } from 'node:v8';

/** How much a process has to do, and how much memory it has left. */
export interface Load {
  /** By how many milliseconds its event loop was late at least in a tenth of its turns since the last time. */
  readonly delayMs: number;
  /** The part of the scarcest memory that is used: the heap, what the system lets the process have, or the budget of bodies. */
  readonly memory: number;
}

export type ReadLoad = () => Load;

const resolutionMs = 10;
const nanosPerMs = 1e6;
/** In one turn of some, a collection may take a moment. */
const turnsPercent = 90;

/** Follows the load of this process from now on. `budget` gives the part of the memory for bodies that is held. */
export const monitorLoad = (budget: () => number): { readonly read: ReadLoad; readonly stop: () => void } => {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  // A container has a limit, or the system says none: then this is 0, or more than any machine has.
  const allowed = constrainedMemory();
  return {
    read: () => {
      const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
      const delayMs = delays.count === 0 ? 0 : Math.max(0, delays.percentile(turnsPercent) / nanosPerMs - resolutionMs);
      delays.reset();
      const system = allowed > 0 ? memoryUsage.rss() / allowed : 0;
      return { delayMs, memory: Math.max(used / limit, system, budget()) };
    },
    stop: () => {
      delays.disable();
    },
  };
};
