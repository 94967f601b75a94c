/**
 * Loaded into a measured process with `--import`: counts the bytes that the process allocates between a `begin` and an `end`
 * message from its parent, including collected objects, with the inspector's sampling heap profiler.
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
// The channel to the parent must not keep a process alive that is otherwise done.
process.channel?.unref();
