import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createSharedPools } from '../../../../../plugins/control/kernel/fairness/shared-pools.ts';
import { fileContent } from '../../../../../plugins/control/work/files/file-content.ts';
import type { TenantId } from '../../../../../plugins/sdk/exchange/exchange.ts';
import type { GatewayResponse } from '../../../../../plugins/sdk/http/http.ts';
import { neverCancelled } from '../../../../../plugins/sdk/time/cancellation.ts';

const file = { id: 'gw-file-1', bytes: 2, filename: 'a', purpose: 'batch', createdAt: 0, sha256: '' };

/** Returns the answer with a file of two pieces, and a function that checks whether the source of the file is closed. */
const readFile = async (): Promise<{ readonly answer: GatewayResponse; readonly isClosed: () => boolean }> => {
  let isClosed = false;
  const read = async function* (): AsyncGenerator<Buffer> {
    try {
      yield Buffer.from('a');
      yield Buffer.from('b');
    } finally {
      isClosed = true;
    }
  };
  const reader = { headers: [], cancellation: neverCancelled, tenant: 'workspace' as TenantId };
  const answer = await fileContent({ files: { read }, pools: createSharedPools() }, file, reader);
  return { answer, isClosed: () => isClosed };
};

it('a file is closed if nobody reads the answer, as for a HEAD request', async () => {
  const { answer, isClosed } = await readFile();
  expect(isClosed()).toBe(false);
  if (answer.body.kind === 'stream') answer.body.discard();
  await setImmediate();
  expect(isClosed()).toBe(true);
});

it('a file that is read is sent with all of its pieces, and is closed', async () => {
  const { answer, isClosed } = await readFile();
  const read: Uint8Array[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const write = (chunk: Uint8Array): boolean => read.push(chunk) > 0;
  if (answer.body.kind === 'stream')
    answer.body.start({ write, onDrain: () => {}, end: resolve, fail: () => resolve() });
  await promise;
  expect([Buffer.concat(read).toString(), isClosed()]).toEqual(['ab', true]);
});
