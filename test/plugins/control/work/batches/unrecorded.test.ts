import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Store, StoreError } from '../../../../../plugins/control/kernel/store/store.ts';
import type { ProviderCall } from '../../../../../plugins/control/work/batches/batch/executor.ts';
import { nativeExecutor } from '../../../../../plugins/control/work/batches/native-executor.ts';
import type { ProviderRequest } from '../../../../../plugins/control/work/provider-requests/account.ts';
import type { WorkParts } from '../../../../../plugins/control/work/provider-requests/work-parts.ts';
import { createRemoteIds } from '../../../../../plugins/control/work/remote-ids/remote-ids.ts';
import type { TenantId } from '../../../../../plugins/sdk/exchange/exchange.ts';
import { type TemporaryStore, temporaryStore } from '../../support/temporary-store.ts';

let temporary: TemporaryStore;
beforeAll(async () => {
  temporary = await temporaryStore();
});
afterAll(() => temporary[Symbol.asyncDispose]());

/** Creates a batch in an account of a provider while the store accepts no writes. Lists the requests to the provider. */
const makeUnrecorded = async (cancelStatus: number) => {
  const store: Store = { ...temporary.store, write: () => Promise.reject(new StoreError('The disk is full.')) };
  const asked: string[] = [];
  const send = async ({ method, path }: ProviderRequest) => {
    asked.push(`${method} ${path}`);
    const body = { kind: 'bytes', bytes: Buffer.from('{"id":"batch/1","status":"validating"}') };
    return { status: path.endsWith('/cancel') ? cancelStatus : 200, headers: [], origin: 'upstream', body };
  };
  const now = (): number => 0;
  const parts = {
    ...{ store, now, remoteIds: createRemoteIds({ store, now }) },
    accountIds: { mayAccess: async () => true },
  } as unknown as WorkParts;
  const call = {
    ...{ tenant: 'w' as TenantId, account: { slug: 'main', provider: 'openai', selectorHeaders: [], send } },
    context: { principal: { keyId: 'key' }, headers: [] },
  } as unknown as ProviderCall;
  const made = nativeExecutor(parts, new Set(['openai'])).create(call, {
    ...{ input_file_id: 'file-1', endpoint: '/v1/chat/completions', completion_window: '24h' },
  });
  return { made, asked };
};

it.each([200, 500])(
  'a batch of a provider is cancelled if it cannot be recorded (and the cancellation is answered %i)',
  async (status) => {
    const { made, asked } = await makeUnrecorded(status);
    await expect(made).rejects.toThrow('The disk is full.');
    expect(asked).toEqual(['POST /batches', 'POST /batches/batch%2F1/cancel']);
  },
);
