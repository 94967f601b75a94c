import type { Vectors } from '../../plugins/sdk/cache/vectors.ts';
import type { VectorsAnswer, VectorsCall } from './calls.ts';

/** Longer than a request waits for a cache. */
const askMs = 10_000;

/** The part of the channel to the owner that vectors need. */
interface VectorsChannel {
  ask(name: 'vectors', call: VectorsCall, withinMs: number): Promise<VectorsAnswer>;
}

/** Vectors that the owner stores for all workers. */
export const ownerVectors = (channel: VectorsChannel): Vectors => {
  const ask = (call: VectorsCall) => channel.ask('vectors', call, askMs);
  return {
    has: async (partition) => (await ask({ do: 'has', partition })) === true,
    nearest: async (partition, vector, min) => {
      const found = await ask({ do: 'nearest', partition, vector, min });
      return typeof found === 'object' ? found : [];
    },
    add: async (row) => void (await ask({ do: 'add', row })),
    remove: async (partition, id) => void (await ask({ do: 'remove', partition, id })),
    close: async () => {},
  };
};

/** Answers a worker's call. */
export const answerVectors = async (vectors: Vectors, call: VectorsCall): Promise<VectorsAnswer> => {
  switch (call.do) {
    case 'has':
      return vectors.has(call.partition);
    case 'nearest':
      return vectors.nearest(call.partition, call.vector, call.min);
    case 'add':
      await vectors.add(call.row);
      return undefined;
    case 'remove':
      await vectors.remove(call.partition, call.id);
      return undefined;
  }
};
