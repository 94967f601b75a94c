import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeKeyText } from '../../../plugins/control/access/keys/key-text.ts';
import { openStore } from '../../../plugins/control/kernel/store/open/open-store.ts';
import { patience } from '../../support/patience.ts';
import { postgresFolder, startPostgres } from '../../support/postgres-server.ts';
import { adminKey, control, serveStore } from '../../support/stored-gateway.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { browserCall, ownPage, signIn } from './support/browser-call.ts';

const postgres = async (): Promise<string> => {
  const server = await startPostgres(postgresFolder() ?? '');
  onTestFinished(() => server.stop());
  return server.url;
};

/** The statuses of several calls with a session, each on a connection of its own, so that all workers get some. */
const statuses = (baseUrl: string, cookie: string): Promise<readonly number[]> =>
  Promise.all(
    Array.from({ length: 8 }, async () => {
      const headers = { ...ownPage(baseUrl), cookie };
      return (await browserCall(baseUrl, 'GET /v1/caller', { headers })).status;
    }),
  );

const allAre = (status: number, baseUrl: string, cookie: string): Promise<void> =>
  expect.poll(async () => new Set(await statuses(baseUrl, cookie)), patience).toEqual(new Set([status]));

describe('a session ends in every process', () => {
  it.each([
    ['of two workers on SQLite', async () => ({ store: 'gateway.db', args: ['--workers', '2'], others: 0 })],
    ...(postgresFolder() === undefined
      ? []
      : [['of two gateways on PostgreSQL', async () => ({ store: await postgres(), args: [], others: 1 })] as const]),
  ] as const)('%s: with its key, and by signing out', async (_, open) => {
    const { store, args, others } = await open();
    const gateways = [await serveStore(store, { args }), ...(others === 0 ? [] : [await serveStore(store, { args })])];
    const [first] = gateways;
    if (first === undefined) throw new Error('No gateway serves.');
    const everywhere = async (status: number, cookie: string): Promise<void> => {
      for (const { baseUrl } of gateways) await allAre(status, baseUrl, cookie);
    };
    const newKey = (more: object = {}) =>
      control(first, 'POST /api-keys/workspace/service', {
        body: { name: 'one', scopes: ['configs.list'], workspace_id: 'default', ...more },
      });

    const revoked = await newKey();
    const ofRevoked = await signIn(first.baseUrl, revoked.key);
    await everywhere(200, ofRevoked);
    await control(first, `DELETE /api-keys/${revoked.id}`);
    await everywhere(401, ofRevoked);

    const rotated = await newKey();
    const ofRotated = await signIn(first.baseUrl, rotated.key);
    await everywhere(200, ofRotated);
    const { key } = await control(first, `POST /api-keys/${rotated.id}/rotate`, { body: {} });
    await everywhere(401, ofRotated);
    // Another worker may not have heard of it for a moment: what it begins ends in the same way.
    const late = await signIn(first.baseUrl, rotated.key).catch(() => undefined);
    if (late !== undefined) await everywhere(401, late);
    const again = () => signIn(first.baseUrl, rotated.key).then(() => 'signed in', String);
    await expect.poll(again, { ...patience, interval: 500 }).toContain('401');
    await everywhere(200, await signIn(first.baseUrl, key));

    const expiring = await newKey({ expires_at: Math.floor(Date.now() / 1000) + 4 });
    const ofExpiring = await signIn(first.baseUrl, expiring.key);
    await everywhere(401, ofExpiring);

    const signedOut = await signIn(first.baseUrl);
    await everywhere(200, signedOut);
    const headers = { ...ownPage(first.baseUrl), cookie: signedOut };
    expect((await browserCall(first.baseUrl, 'DELETE /console/session', { headers })).status).toBe(200);
    await everywhere(401, signedOut);
  });

  it('where its key has more than sixteen others: the oldest', async () => {
    const gateway = await serveStore();
    const cookies: string[] = [];
    for (let count = 0; count < 17; count += 1) {
      cookies.push(await signIn(gateway.baseUrl));
      // Those of one millisecond have no order.
      await pause(2);
    }
    const headers = (cookie = '') => ({ ...ownPage(gateway.baseUrl), cookie });
    const status = async (cookie?: string) =>
      (await browserCall(gateway.baseUrl, 'GET /v1/caller', { headers: headers(cookie) })).status;
    expect([await status(cookies[0]), await status(cookies[1]), await status(cookies[16])]).toEqual([401, 200, 200]);
  });
});

describe('the store', () => {
  it('has the hash of a token, and neither it nor the key', async () => {
    const folder = temporaryFolder();
    const gateway = await serveStore('gateway.db', { folder });
    const cookie = await signIn(gateway.baseUrl);
    const store = await openStore({ url: path.join(folder, 'gateway.db') }).catch(() => undefined);
    await gateway.stop();
    const opened = store ?? (await openStore({ url: path.join(folder, 'gateway.db') }));
    const rows = await opened.db.selectFrom('sessions').selectAll().execute();
    await opened.close();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(cookie.split('=')[1]);
    expect(JSON.stringify(rows)).not.toContain(adminKey);
  });
});

describe('guesses of keys', () => {
  it.each([
    ['in one process', []],
    ['by all workers together', ['--workers', '2']],
  ])('are counted before they are looked up, where many come at once: %s', async (_, args) => {
    const { baseUrl } = await serveStore('gateway.db', { args });
    const guess = () =>
      browserCall(baseUrl, 'POST /console/session', {
        headers: ownPage(baseUrl),
        body: { key: makeKeyText(randomUUID()) },
      });
    const statuses = (await Promise.all(Array.from({ length: 30 }, guess))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
  });

  it('are not counted where they are right', async () => {
    const { baseUrl } = await serveStore();
    for (let count = 0; count < 12; count += 1) await signIn(baseUrl);
  });

  it('are slowed by their address, and named in the answer', async () => {
    const { baseUrl } = await serveStore();
    const guess = (key: string) =>
      browserCall(baseUrl, 'POST /console/session', { headers: ownPage(baseUrl), body: { key } });
    for (let count = 0; count < 10; count += 1) expect((await guess(`gw-guess-${count}`)).status).toBe(401);
    const slowed = await guess('gw-guess-11');
    expect([slowed.status, slowed.headers['retry-after']]).toEqual([429, '60']);
    expect(slowed.text).not.toContain('gw-guess');
    expect((await guess(adminKey)).status).toBe(429);
  });
});
