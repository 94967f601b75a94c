import { describe, expect, it } from 'vitest';
import type { Check } from '../../../../plugins/sdk/guardrail/guardrail.ts';
import { CheckCancellation } from '../../../../runtime/engine/guardrail-checks/check-cancellation.ts';
import { createCountingCancellation } from '../../../support/in-process/counting-cancellation.ts';
import { toTenant } from '../../../support/in-process/sample-exchange.ts';
import { asking, checkedConfig } from '../../../support/plans/checked-config.ts';

const begin = () => {
  const client = createCountingCancellation();
  return { client, cancellation: new CheckCancellation(client.cancellation, { tenant: toTenant('mine') }) };
};

describe('the cancellation of a check', () => {
  it('listens to the client only once it is used', () => {
    const { client, cancellation } = begin();
    expect(client.listening).toBe(0);
    let calls = 0;
    const stop = cancellation.onCancel(() => {
      throw new Error('Nobody listens here any more.');
    });
    stop();
    cancellation.onCancel(() => {
      calls += 1;
    });
    expect([cancellation.cancelled, client.listening]).toEqual([false, 1]);
    client.cancel();
    expect([cancellation.cancelled, calls]).toEqual([true, 1]);
  });

  it('is cancelled if the client disconnected before', () => {
    const { client, cancellation } = begin();
    client.cancel();
    expect(cancellation.cancelled).toBe(true);
  });

  it('can be cancelled without the client, before it is used or later', () => {
    const { client, cancellation } = begin();
    cancellation.cancel();
    expect([cancellation.cancelled, client.listening]).toEqual([true, 0]);
    const other = begin();
    let calls = 0;
    other.cancellation.onCancel(() => {
      calls += 1;
    });
    other.cancellation.cancel();
    expect([other.cancellation.cancelled, calls]).toEqual([true, 1]);
    const alone = new CheckCancellation(undefined, { tenant: toTenant('mine') });
    expect(alone.cancelled).toBe(false);
    alone.cancel();
    expect(alone.cancelled).toBe(true);
  });

  it('does not listen to the client once it has ended, whether or not it was used', () => {
    for (const isLookedAt of [true, false]) {
      const { client, cancellation } = begin();
      if (isLookedAt) expect(cancellation.cancelled).toBe(false);
      cancellation.end();
      expect([cancellation.cancelled, client.listening]).toEqual([false, 0]);
      client.cancel();
      expect(cancellation.cancelled).toBe(false);
    }
  });
});

describe('a check that uses its cancellation', () => {
  const never: Promise<never> = new Promise(() => {});
  const ways: readonly (readonly [string, () => ReturnType<Check>])[] = [
    ['answers at once', () => ({ pass: true, data: {} })],
    ['answers later', async () => ({ pass: true, data: {} })],
    [
      'throws',
      () => {
        throw new Error('down');
      },
    ],
    ['rejects', () => Promise.reject(new Error('down'))],
    ['takes too long', () => never],
  ];

  it.each(ways)('and %s no longer listens to the client afterwards', async (_what, answer) => {
    const client = createCountingCancellation();
    const during: number[] = [];
    const config = checkedConfig(
      { input_guardrails: [{ 'test.one': {} }] },
      {
        one: ({ cancellation }) => {
          const before = client.listening;
          cancellation.onCancel(() => {});
          during.push(client.listening - before);
          return answer();
        },
      },
    );
    expect((await config.ask(asking('a'), { cancellation: client.cancellation })).response.status).toBe(200);
    expect([during, client.listening]).toEqual([[1], 0]);
  });
});
