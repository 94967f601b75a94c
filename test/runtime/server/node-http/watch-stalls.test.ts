import { describe, expect, it } from 'vitest';
import { watchStalls } from '../../../../runtime/server/node-http/watch-stalls.ts';

interface Client {
  bytes: number;
  isClientsTurn: boolean;
}

/** Watches one client for a number of looks, each preceded by the change. Returns the looks that found it stalled. */
const stalledLooks = (looks: number, change: (client: Client, look: number) => void): readonly number[] => {
  const client: Client = { bytes: 0, isClientsTurn: true };
  const stalled: number[] = [];
  let look = 0;
  let runTimer = (): void => {};
  watchStalls(new Set([client]), {
    clock: {
      after: (_, run) => {
        runTimer = run;
        return () => {};
      },
    },
    stallMs: 1000,
    bytesMoved: ({ bytes }) => bytes,
    isClientsTurn: ({ isClientsTurn }) => isClientsTurn,
    onStalled: () => stalled.push(look),
  });
  for (; look < looks; look += 1) {
    change(client, look);
    runTimer();
  }
  return stalled;
};

describe('a client that is watched for stalls', () => {
  it('has stalled after four looks in succession without a byte', () => {
    expect(stalledLooks(5, () => {})).toEqual([4]);
    expect(stalledLooks(8, (client, look) => (client.bytes = Math.min(look, 3)))).toEqual([7]);
  });

  it('has not stalled if each fourth look finds a byte, however far apart the looks are', () => {
    expect(stalledLooks(100, (client, look) => (client.bytes = Math.floor(look / 4)))).toEqual([]);
  });

  it('has not stalled while it is not its turn', () => {
    expect(stalledLooks(100, (client, look) => (client.isClientsTurn = look % 4 !== 0))).toEqual([]);
  });
});
