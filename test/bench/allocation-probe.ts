/**
 * Loaded into a measured process with `--import`: counts the bytes it allocates between a `begin` and an `end` message
 * of its parent, collected objects included, by the inspector's sampling heap profiler.
 */
import type { HeapProfiler } from 'node:inspector';
import { Session } from 'node:inspector/promises';

const session = new Session();
session.connect();

const countBytes = ({ selfSize, children }: HeapProfiler.SamplingHeapProfileNode): number =>
  children.reduce((sum, child) => sum + countBytes(child), selfSize);

process.on('message', async (message) => {
  if (message === 'begin') {
    await session.post('HeapProfiler.enable');
    await session.post('HeapProfiler.startSampling', {
      samplingInterval: 16_384,
      includeObjectsCollectedByMajorGC: true,
      includeObjectsCollectedByMinorGC: true,
    } as HeapProfiler.StartSamplingParameterType);
    process.send?.('begun');
  } else if (message === 'end') {
    const { profile } = await session.post('HeapProfiler.stopSampling');
    process.send?.({ allocated: countBytes(profile.head) });
  }
});
// The parent's channel keeps no process alive that wants to stop.
process.channel?.unref();
