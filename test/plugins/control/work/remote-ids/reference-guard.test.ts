import { expect, it } from 'vitest';
import type { Store } from '../../../../../plugins/control/kernel/store/store.ts';
import { createReferenceGuard } from '../../../../../plugins/control/work/remote-ids/reference-guard.ts';
import type { OrganisationId, Principal } from '../../../../../plugins/sdk/exchange/exchange.ts';
import { systemClock } from '../../../../../runtime/in-memory/system-clock.ts';
import { sampleExchange, toTenant } from '../../../../support/in-process/sample-exchange.ts';

const asked: string[] = [];
const store: Pick<Store, 'db'> = {
  get db(): never {
    asked.push('asked');
    throw new Error('The store is asked.');
  },
};
const guard = createReferenceGuard({ store, clock: systemClock });
const inWorkspace: Principal = { tenant: toTenant('w'), organisation: 'o' as OrganisationId };

const validate = (body: string, principal: Principal = inWorkspace): Promise<void> | undefined => {
  const bytes = Buffer.from(body);
  const request = { method: 'POST', origin: 'https://x', path: '/v1/chat/completions', headers: [] };
  return guard.check(
    { request: { ...request, body: { kind: 'bytes', bytes } }, dialect: 'chat', slug: 'main' },
    sampleExchange({}, { principal }),
  );
};

it('a request that names nothing is not parsed, and the store is not queried', () => {
  expect(validate('{"messages":[{"content":"Where is café \\u00e9?"}], this is not JSON')).toBeUndefined();
  expect(validate('{"messages":[{"content":"A file_id is an id."}]}')).toBeUndefined();
  expect(validate('{"file_id":"  "}', { tenant: toTenant('file') })).toBeUndefined();
  expect(asked).toEqual([]);
});

it('a request that names something is not sent before the store has answered', async () => {
  await expect(validate('{"file_id":"file-1"}')).rejects.toThrow();
  expect(asked).toEqual(['asked']);
});
