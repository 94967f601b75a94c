import { expect, it } from 'vitest';
import { OwnedCalls } from '../../../../plugins/host/isolation/owned-calls.ts';
import { neverCancelled } from '../../../../plugins/sdk/time/cancellation.ts';
import { toTenant } from '../../../support/in-process/sample-exchange.ts';

it('counts what a check in the owner process receives against the memory of the checked request', async () => {
  let send = async (_: unknown): Promise<unknown> => undefined;
  const calls = new OwnedCalls({
    ask: async () => {
      await send({ call: 1, request: { url: 'https://api.test/' } });
      return { verdict: '{"pass":true,"data":{}}', isOfTarget: false };
    },
    onRequest: (answer) => {
      send = answer;
    },
  });
  const taken: number[] = [];
  const takeMemory = (bytes: number): boolean => taken.push(bytes) > 0;
  await calls.run('./plugin.mjs', 1, {
    ...{ check: 'acme.acts', tenant: toTenant('mine'), withinMs: 5000, members: '{}', recordTargetRead: () => {} },
    cancellation: { ...neverCancelled, takeMemory },
    http: {
      send: async ({ cancellation }) => {
        cancellation.takeMemory?.(7);
        return { status: 200, headers: [], text: '' };
      },
    },
  });
  expect(taken).toEqual([7]);
});
