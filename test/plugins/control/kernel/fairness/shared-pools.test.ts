import { describe, expect, it } from 'vitest';
import {
  answerWithPlace,
  claimPlace,
  createSharedPools,
  type PoolName,
  poolSizes,
  withPlace,
} from '../../../../../plugins/control/kernel/fairness/shared-pools.ts';
import { IteratedBody } from '../../../../../plugins/control/kernel/requests/iterated-body.ts';
import type { GatewayResponse } from '../../../../../plugins/sdk/http/http.ts';
import { createCancellation, neverCancelled } from '../../../../../plugins/sdk/time/cancellation.ts';

const names = Object.keys(poolSizes) as readonly PoolName[];

const claimant = (tenant: string) => ({ tenant, cancellation: neverCancelled });

describe.each(names)('the pool %s', (name) => {
  it('has a place for a fourth tenant while three hold a quarter each, and refuses claims beyond a full queue', async () => {
    const pool = createSharedPools()[name];
    const quarter = Math.floor(pool.size / 4);
    const floods = ['a', 'b', 'c'];
    const refused: unknown[] = [];
    for (const flood of floods) {
      for (let count = 0; count < quarter; count += 1) await claimPlace(pool, claimant(flood));
      for (let count = 0; count <= pool.maxQueued; count += 1)
        void claimPlace(pool, claimant(flood)).catch((error: unknown) => refused.push(error));
    }
    await claimPlace(pool, claimant('d'));
    expect(pool.count()).toEqual({ taken: 3 * quarter + 1, waiting: 3 * pool.maxQueued, tenants: 4 });
    expect(refused).toHaveLength(3);
    for (const error of refused)
      expect(error).toMatchObject({
        report: { status: 429, headers: ['retry-after', expect.any(String)] },
        message: expect.stringContaining(pool.what),
      });
  });

  it('gets a place back however the response that holds it ends', async () => {
    const pool = createSharedPools()[name];
    const { cancellation, cancel } = createCancellation();
    const toAnswer = (body: GatewayResponse['body']): GatewayResponse => ({
      status: 200,
      headers: [],
      origin: 'gateway',
      body,
    });
    const bytes = async function* (): AsyncGenerator<Buffer> {
      yield Buffer.from('a');
    };
    const streamed = () => new IteratedBody(bytes(), neverCancelled);
    const [left, discarded] = [streamed(), streamed()];
    await answerWithPlace(pool, { tenant: 'a', cancellation }, async () => toAnswer(left));
    await answerWithPlace(pool, claimant('a'), async () => toAnswer(discarded));
    expect(pool.count().taken).toBe(2);
    cancel();
    discarded.discard();
    await expect(answerWithPlace(pool, claimant('a'), () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(withPlace(pool, claimant('a'), () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await answerWithPlace(pool, claimant('a'), async () => toAnswer({ kind: 'bytes', bytes: Buffer.alloc(0) }));
    expect(pool.count()).toEqual({ taken: 0, waiting: 0, tenants: 0 });
  });
});
