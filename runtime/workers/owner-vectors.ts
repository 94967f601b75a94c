import type { Vectors } from '../../plugins/sdk/cache/vectors.ts';
import type { OwnerCalls, VectorsAnswer, VectorsCall, WorkerCalls } from './calls.ts';
import type { Channel } from './channel.ts';

/** Longer than a request waits for a cache. */
const askMs = 10_000;

/** Vectors that the owner keeps for all workers. */
export const ownerVectors = (channel: Pick<Channel<OwnerCalls, WorkerCalls>, 'ask'>): Vectors => {
  const ask = (call: VectorsCall) => channel.ask('vectors', call, askMs);
  return {
    has: async (partition) => (await ask({ do: 'has', partition })) === true,
    nearest: async (partition, vector, least) => {
      const found = await ask({ do: 'nearest', partition, vector, least });
      return typeof found === 'object' ? found : [];
    },
    add: async (row) => void (await ask({ do: 'add', row })),
    remove: async (partition, id) => void (await ask({ do: 'remove', partition, id })),
    close: async () => {},
  };
};

/** Answers a call of a worker. */
export const answerVectors = async (vectors: Vectors, call: VectorsCall): Promise<VectorsAnswer> => {
  switch (call.do) {
    case 'has':
      return vectors.has(call.partition);
    case 'nearest':
      return vectors.nearest(call.partition, call.vector, call.least);
    case 'add':
      await vectors.add(call.row);
      return undefined;
    case 'remove':
      await vectors.remove(call.partition, call.id);
      return undefined;
  }
};
