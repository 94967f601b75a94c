import { memoryVectors } from '../../../plugins/caches/semantic/memory-vectors.ts';
import { createVirtualClock } from '../../../plugins/testkit/route/virtual-clock.ts';
import { answerVectors, ownerVectors } from '../../../runtime/workers/owner-vectors.ts';
import { vectorsContract } from '../../plugins/caches/semantic/vectors-contract.ts';

vectorsContract('the process that owns the workers', async () => {
  const clock = createVirtualClock();
  const kept = memoryVectors({ maxBytes: 1024 * 1024 }, clock);
  const vectors = ownerVectors({
    // As between two processes, only data is passed.
    ask: async (_, call) => structuredClone(await answerVectors(kept, structuredClone(call))),
  });
  return { vectors, pass: (ms) => clock.advance(ms), stop: () => kept.close() };
});
