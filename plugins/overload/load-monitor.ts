import { monitorEventLoopDelay } from 'node:perf_hooks';
import { constrainedMemory, memoryUsage } from 'node:process';
import { getHeapStatistics } from 'node:v8';

/** How busy a process is, and how much memory it uses. */
export interface Load {
  /** The delay in milliseconds that at least a tenth of the event loop's turns had since the last time. */
  readonly delayMs: number;
  /** The used part of the scarcest memory: the heap, what the system allows the process, or the budget for bodies. */
  readonly memory: number;
}

export type ReadLoad = () => Load;

const resolutionMs = 10;
const nanosPerMs = 1e6;
/** In some turns, a garbage collection may take a moment. */
const turnsPercent = 90;

/** Monitors the load of this process from now on. `budget` returns the used part of the memory for bodies. */
export const monitorLoad = (budget: () => number): { readonly read: ReadLoad; readonly stop: () => void } => {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  // A container has a limit. Without one, the system reports 0, or more than any machine has.
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
