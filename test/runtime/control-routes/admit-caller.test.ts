import { describe, expect, it } from 'vitest';
import { builtinPlugins } from '../../../plugins/builtin.ts';
import type { Identify } from '../../../plugins/sdk/control-plane/identities.ts';
import type { KeyScope, Principal, TenantId } from '../../../plugins/sdk/exchange/exchange.ts';
import { createControlRoutes } from '../../../runtime/control-routes/control-routes.ts';
import { createGenerations } from '../../../runtime/file-plans/generations.ts';
import { MemoryBudget } from '../../../runtime/http/body/memory-budget.ts';
import { createClients } from '../../../runtime/http/exchange/clients.ts';
import { createMemoryIdempotencyStore } from '../../../runtime/in-memory/memory-idempotency-store.ts';
import { toFetch } from '../../../runtime/server/fetch/to-fetch.ts';
import { defaultLimits } from '../../../runtime/server/limits.ts';
import type { GatewayService } from '../../../runtime/server/service.ts';
import { notesPlugin } from '../server/support/notes-plugin.ts';
import { readError } from '../server/support/start-notes.ts';
import { testClock } from '../server/support/start-server.ts';

const noPlan = (): never => {
  throw new Error('There are no plans here.');
};

const serving = (identify: Identify) => {
  const plugins = [...builtinPlugins, notesPlugin()];
  const memoryBudget = new MemoryBudget(1_000_000);
  const control = createControlRoutes({
    plugins,
    gateway: { conclude: (_, response) => response },
    bodyBytes: 1000,
    memoryBudget,
    clock: testClock,
    kept: createMemoryIdempotencyStore(),
    dispatch: () => noPlan,
    log: () => {},
    guarded: false,
    identities: { identify },
  });
  const clients = createClients(plugins);
  const generations = createGenerations({ link: noPlan });
  const receive: GatewayService['receive'] = (exchange, respond) => void control(exchange).then(respond);
  const gateway = { begin: () => {}, refuse: noPlan };
  const service = { gateway, clients, generations, receive, memoryBudget, limits: defaultLimits };
  const gatewayFetch = toFetch({ service, clock: testClock });
  return (path: string, init: RequestInit = {}) => gatewayFetch(new Request(`https://gateway.invalid${path}`, init));
};

const principal = (...scopes: readonly KeyScope[]): Principal => ({
  tenant: 'team' as TenantId,
  keyId: 'a',
  scopes: new Set(scopes),
});

describe('the caller of a control route', () => {
  it.each<[string, (found: Principal | undefined) => Principal | undefined | Promise<Principal | undefined>]>([
    ['at once', (found) => found],
    ['later', async (found) => found],
  ])('is identified %s', async (_, give) => {
    const ask = serving((presented) => give(presented === 'good' ? principal() : undefined));
    const good = await ask('/v1/notes/1', { headers: { 'x-gw-api-key': 'good' } });
    expect(await good.json()).toMatchObject({ tenant: 'team', keyId: 'a' });
    expect((await ask('/v1/notes/1', { headers: { 'x-gw-api-key': 'bad' } })).status).toBe(401);
  });

  it('needs the scope of the route', async () => {
    const ask = serving((presented) => principal(presented as KeyScope));
    const remove = (scope: string) => ask('/v1/notes/1', { method: 'DELETE', headers: { 'x-gw-api-key': scope } });
    expect((await remove('notes.delete')).status).toBe(204);
    const refused = await remove('notes.create');
    expect(refused.status).toBe(403);
    expect(await readError(refused)).toMatchObject({
      code: 'AB03',
      message:
        'The service key of this request does not have the scope notes.delete. Use a key that has it, or ask whoever created this key to add it.',
    });
  });

  it('gets an internal error if identification fails', async () => {
    const ask = serving(() => Promise.reject(new Error('the store is unavailable')));
    const answer = await ask('/v1/notes/1', { headers: { 'x-gw-api-key': 'good' } });
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain('store');
  });

  it('may send a body without a socket', async () => {
    const ask = serving(() => principal('completions.write'));
    const headers = { 'x-gw-api-key': 'good', 'content-type': 'application/json' };
    const made = await ask('/v1/notes', { method: 'POST', headers, body: '{"text":"a"}' });
    expect([made.status, await made.json()]).toEqual([201, expect.objectContaining({ text: 'a' })]);
    const none = await ask('/v1/notes', { method: 'POST', headers });
    expect(await readError(none)).toMatchObject({ message: expect.stringContaining('it is empty.') });
  });
});
