import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { callControl, control, serveStore } from '../../support/gateways/stored-gateway.ts';

const response = { model: '@echo/m', input: 'Hello', store: true };
/** Requests whose replies are kept in other ways. */
const further = [
  ['a-response', 'POST /responses', response],
  ['a-stream', 'POST /responses', { ...response, stream: true }],
  ['in-the-background', 'POST /responses', { ...response, background: true }],
] as const;

const lost = expect.stringContaining('stopped before it could store the reply');

const call = { body: { name: 'Once' }, idempotencyKey: 'once' };

it('a request whose change is saved, but not its reply, is not run again with its idempotency-key', async () => {
  const folder = temporaryFolder();
  const first = await serveStore('gateway.db', { folder });
  await control(first, 'POST /providers', { body: { name: 'Echo', slug: 'echo', provider: 'echo' } });
  await first.stop();
  // As if the gateway were killed after each change.
  const database = new DatabaseSync(path.join(folder, 'gateway.db'));
  database.exec(
    `CREATE TRIGGER lost_replies BEFORE INSERT ON idempotency WHEN NEW.status <> 0 BEGIN SELECT RAISE(ABORT, 'lost'); END`,
  );
  database.close();
  const second = await serveStore('gateway.db', { folder });
  expect((await callControl(second, 'POST /collections', call)).status).toBe(200);
  for (const [idempotencyKey, request, body] of further)
    expect((await callControl(second, request, { body, idempotencyKey })).status, idempotencyKey).toBe(200);
  await second.stop();

  const third = await serveStore('gateway.db', { folder });
  const again = await callControl(third, 'POST /collections', call);
  expect([again.status, again.text]).toEqual([409, lost]);
  expect(await control(third, 'GET /collections')).toMatchObject({ total: 1 });
  for (const [idempotencyKey, request, body] of further) {
    const { status, text } = await callControl(third, request, { body, idempotencyKey });
    expect([idempotencyKey, status, text]).toEqual([idempotencyKey, 409, lost]);
  }
  const other = { ...call, body: { name: 'Other' } };
  expect((await callControl(third, 'POST /collections', other)).text).toContain(
    'was already sent with another request',
  );
  expect((await callControl(third, 'POST /collections', { ...call, idempotencyKey: 'new' })).status).toBe(200);
});
