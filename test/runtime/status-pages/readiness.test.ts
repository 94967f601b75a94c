import { describe, expect, it } from 'vitest';
import type { Identities } from '../../../plugins/sdk/control-plane/identities.ts';
import type { StoreStatus } from '../../../plugins/sdk/control-plane/store-status.ts';
import { withStoreStatus } from '../../../runtime/status-pages/store-status.ts';
import { type Answering, holder, scriptedIdentities } from '../../support/in-process/scripted-identities.ts';
import { answer, startServer, type TestServer } from '../server/support/start-server.ts';

const keys = { 'of-workspace': holder(), 'of-organisation': holder({ reach: 'organisation' }) };

const start = (identities: Identities, storeStatus?: () => StoreStatus): Promise<TestServer> =>
  startServer({
    identities,
    execute: () => answer('{}'),
    source: {
      folder: 'configs',
      read: async () => [],
      toPlan: () => ({ secrets: [], diagnostics: [] }),
    },
    ...(storeStatus === undefined ? {} : { storeStatus }),
  });

const readyz = async ({ origin }: TestServer, key?: string) => {
  const response = await fetch(`${origin}/readyz`, { headers: key === undefined ? {} : { 'x-gw-api-key': key } });
  return { status: response.status, body: await response.json() };
};

describe('/readyz with identities', () => {
  it('is ready if they were confirmed in the last five seconds, or if they need no confirmation', async () => {
    await using fresh = await start(scriptedIdentities(keys, { confirmedAt: () => Date.now() - 4000 }));
    expect(await readyz(fresh)).toEqual({ status: 200, body: { status: 'ready' } });
    await using always = await start(scriptedIdentities(keys));
    expect(await readyz(always)).toEqual({ status: 200, body: { status: 'ready' } });
  });

  it('is degraded with a reason while they are not confirmed, and recovers', async () => {
    let at = Date.now() - 61_000;
    await using server = await start(scriptedIdentities(keys, { confirmedAt: () => at }));
    expect(await readyz(server)).toEqual({ status: 200, body: { status: 'degraded' } });
    expect(await readyz(server, 'of-organisation')).toMatchObject({
      status: 200,
      body: { status: 'degraded', reason: expect.stringContaining('last confirmed 61 s ago') },
    });
    at = 0;
    expect(await readyz(server, 'of-organisation')).toMatchObject({
      body: { status: 'degraded', reason: expect.stringContaining('never confirmed') },
    });
    at = Date.now();
    expect(await readyz(server)).toEqual({ status: 200, body: { status: 'ready' } });
  });

  it.each<Answering>(['at once', 'later'])(
    'shows plans only to keys of an organisation, answered %s',
    async (answering) => {
      await using server = await start(scriptedIdentities(keys, { answering }));
      expect(await readyz(server, 'of-organisation')).toMatchObject({ body: { status: 'ready', plans: [] } });
      for (const key of ['of-workspace', 'nobody'])
        expect(await readyz(server, key)).toEqual({ status: 200, body: { status: 'ready' } });
    },
  );

  it.each(['throws', 'rejects'] as const)('still reports its status if a source %s', async (how) => {
    const identities = scriptedIdentities(keys);
    identities.fail(how);
    await using server = await start(identities);
    expect(await readyz(server, 'of-organisation')).toEqual({ status: 200, body: { status: 'ready' } });
  });
});

describe('/readyz with a store', () => {
  const feeds = { keys: 3, plans: 7 };
  const identities = scriptedIdentities(keys);
  const at = Date.now() - 1000;

  it('shows only to keys of an organisation which versions are served', async () => {
    await using server = await start(identities, () => ({ isUnavailable: false, feeds, confirmedAt: at }));
    expect(await readyz(server, 'of-organisation')).toMatchObject({
      status: 200,
      body: { status: 'ready', store: { status: 'ready', feeds, confirmed_at: Math.floor(at / 1000) } },
    });
    for (const key of [undefined, 'of-workspace', 'nobody'])
      expect(await readyz(server, key)).toEqual({ status: 200, body: { status: 'ready' } });
  });

  it.each([
    ['did not answer the last query', { isUnavailable: true, feeds, confirmedAt: at }],
    ['has not answered for more than five seconds', { isUnavailable: false, feeds, confirmedAt: at - 10_000 }],
  ])('is degraded while the store %s', async (_, store) => {
    await using server = await start(identities, () => store);
    expect(await readyz(server)).toEqual({ status: 200, body: { status: 'degraded' } });
    const { body } = await readyz(server, 'of-organisation');
    expect(body).toMatchObject({
      status: 'degraded',
      reason: expect.stringMatching(/^The control plane's store does not answer\. Data from \d+ s ago is served\./),
      store: { status: 'away', feeds },
    });
  });

  it.each([
    [
      'read',
      { isUnavailable: true, readFailure: 'It is stopped.' },
      /^The control plane's store cannot be read\. It is stopped\. Data from/,
    ],
    ['written', { writeFailure: 'It is full.' }, /^The control plane's store cannot be written\. It is full\./],
    [
      'charged with usage',
      { ledgerFailure: 'It is locked.' },
      /^The ledger of usage cannot be written\. It is locked\./,
    ],
  ])('is degraded, with the reason, while the store cannot be %s', async (_, failure, reason) => {
    await using server = await start(identities, () => ({ isUnavailable: false, feeds, confirmedAt: at, ...failure }));
    const { body } = await readyz(server, 'of-organisation');
    expect(body).toMatchObject({ status: 'degraded', reason: expect.stringMatching(reason) });
    const [member = '', text = ''] = Object.entries(failure).find(([, value]) => typeof value === 'string') ?? [];
    expect(body).toMatchObject({ store: { [member.replace('Failure', '_failure')]: text } });
  });

  it('stays not ready, whatever the status of the store is', () => {
    const files = { generation: 1, plans: [], refused: [], restart: [], closing: [] };
    const notReady = { ...files, status: 'not-ready', reason: 'The default config is not served.' } as const;
    const away = { isUnavailable: true, feeds, confirmedAt: at };
    expect(withStoreStatus(notReady, away, { wall: () => at })).toMatchObject(notReady);
  });
});
