import { describe, expect, it } from 'vitest';
import type { Identities } from '../../../plugins/sdk/identities.ts';
import { type Answering, holder, scriptedIdentities } from '../../support/scripted-identities.ts';
import { answer, startServer, type TestServer } from './support/start-server.ts';

const keys = { 'of-workspace': holder(), 'of-organisation': holder({ reach: 'organisation' }) };

const start = (identities: Identities, defaultConfig?: string): Promise<TestServer> =>
  startServer({
    identities,
    execute: () => answer('{}'),
    source: {
      folder: 'configs',
      read: async () => [],
      toPlan: () => ({ secrets: [], diagnostics: [] }),
    },
    ...(defaultConfig === undefined ? {} : { defaultConfig }),
  });

const readyz = async ({ origin }: TestServer, key?: string) => {
  const response = await fetch(`${origin}/readyz`, { headers: key === undefined ? {} : { 'x-gw-api-key': key } });
  return { status: response.status, body: await response.json() };
};

describe('/readyz with identities', () => {
  it('is ready while they were confirmed in the last five seconds, or always are', async () => {
    await using fresh = await start(scriptedIdentities(keys, { confirmedAt: () => Date.now() - 4000 }));
    expect(await readyz(fresh)).toEqual({ status: 200, body: { status: 'ready' } });
    await using always = await start(scriptedIdentities(keys));
    expect(await readyz(always)).toEqual({ status: 200, body: { status: 'ready' } });
  });

  it('is degraded and says why while they were not, and recovers', async () => {
    let at = Date.now() - 61_000;
    await using server = await start(scriptedIdentities(keys, { confirmedAt: () => at }));
    expect(await readyz(server)).toEqual({ status: 200, body: { status: 'degraded' } });
    expect(await readyz(server, 'of-organisation')).toMatchObject({
      status: 200,
      body: { status: 'degraded', reason: expect.stringContaining('last 61 s ago confirmed') },
    });
    at = 0;
    expect(await readyz(server, 'of-organisation')).toMatchObject({
      body: { status: 'degraded', reason: expect.stringContaining('never confirmed') },
    });
    at = Date.now();
    expect(await readyz(server)).toEqual({ status: 200, body: { status: 'ready' } });
  });

  it.each<Answering>(['at once', 'later'])(
    'shows plans to keys of an organisation alone, answered %s',
    async (answering) => {
      await using server = await start(scriptedIdentities(keys, { answering }));
      expect(await readyz(server, 'of-organisation')).toMatchObject({ body: { status: 'ready', plans: [] } });
      for (const key of ['of-workspace', 'nobody'])
        expect(await readyz(server, key)).toEqual({ status: 200, body: { status: 'ready' } });
    },
  );

  it.each(['throws', 'rejects'] as const)('has its status when a source %s', async (how) => {
    const identities = scriptedIdentities(keys);
    identities.fail(how);
    await using server = await start(identities);
    expect(await readyz(server, 'of-organisation')).toEqual({ status: 200, body: { status: 'ready' } });
  });
});
