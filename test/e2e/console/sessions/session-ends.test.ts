import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeKeyText } from '../../../../plugins/control/access/keys/key-text.ts';
import { openStore } from '../../../../plugins/control/kernel/store/open/open-store.ts';
import { temporaryFolder } from '../../../support/commands/temporary-folder.ts';
import { adminKey, control, serveStore } from '../../../support/gateways/stored-gateway.ts';
import { patience } from '../../../support/run/patience.ts';
import { postgresFolder, startPostgres } from '../../../support/servers/postgres-server.ts';
import { browserCall, ownPage, signIn } from '../support/browser-call.ts';

const postgres = async (): Promise<string> => {
  const server = await startPostgres(postgresFolder() ?? '');
  onTestFinished(() => server.stop());
  return server.url;
};

/** The statuses of several calls with a session. Each has its own connection, so that all workers get some. */
const statuses = (baseUrl: string, cookie: string): Promise<readonly number[]> =>
  Promise.all(
    Array.from({ length: 8 }, async () => {
      const headers = { ...ownPage(baseUrl), cookie };
      return (await browserCall(baseUrl, 'GET /v1/caller', { headers })).status;
    }),
  );

const allAre = (status: number, baseUrl: string, cookie: string): Promise<void> =>
  expect
    .poll(async () => new Set(await statuses(baseUrl, cookie)), { ...patience, interval: 200 })
    .toEqual(new Set([status]));

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

    // This key expires while other sessions end in other ways.
    const expiring = await newKey({ expires_at: Math.floor(Date.now() / 1000) + 8 });
    const ofExpiring = await signIn(first.baseUrl, expiring.key);

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
    // Another worker may not know of it for a moment. A session that it begins ends in the same way.
    const late = await signIn(first.baseUrl, rotated.key).catch(() => undefined);
    if (late !== undefined) await everywhere(401, late);
    const again = () => signIn(first.baseUrl, rotated.key).then(() => 'signed in', String);
    await expect.poll(again, { ...patience, interval: 500 }).toContain('401');
    await everywhere(200, await signIn(first.baseUrl, key));

    await everywhere(401, ofExpiring);

    const signedOut = await signIn(first.baseUrl);
    await everywhere(200, signedOut);
    const headers = { ...ownPage(first.baseUrl), cookie: signedOut };
    expect((await browserCall(first.baseUrl, 'DELETE /console/session', { headers })).status).toBe(200);
    await everywhere(401, signedOut);
  });

  it('if its key has sixteen newer ones; the store keeps hashes, but neither tokens nor the key', async () => {
    const folder = temporaryFolder();
    const gateway = await serveStore('gateway.db', { folder });
    const cookies: string[] = [];
    // Correct keys are not guesses, of which ten a minute are looked up.
    for (let count = 0; count < 17; count += 1) {
      cookies.push(await signIn(gateway.baseUrl));
      // Sessions of the same millisecond have no order.
      await pause(2);
    }
    const headers = (cookie = '') => ({ ...ownPage(gateway.baseUrl), cookie });
    const status = async (cookie?: string) =>
      (await browserCall(gateway.baseUrl, 'GET /v1/caller', { headers: headers(cookie) })).status;
    expect([await status(cookies[0]), await status(cookies[1]), await status(cookies[16])]).toEqual([401, 200, 200]);

    await gateway.stop();
    const store = await openStore({ url: path.join(folder, 'gateway.db') });
    const rows = await store.db.selectFrom('sessions').selectAll().execute();
    await store.close();
    expect(rows.length).toBeGreaterThan(15);
    for (const cookie of cookies) expect(JSON.stringify(rows)).not.toContain(cookie.split('=')[1]);
    expect(JSON.stringify(rows)).not.toContain(adminKey);
  });
});

describe('guesses of keys', () => {
  it.each([
    ['in one process', []],
    ['across two workers', ['--workers', '2']],
  ])('are counted before they are looked up, and slowed by address if there are many: %s', async (_, args) => {
    const { baseUrl } = await serveStore('gateway.db', { args });
    const guess = (key: string) =>
      browserCall(baseUrl, 'POST /console/session', { headers: ownPage(baseUrl), body: { key } });
    const guesses = Array.from({ length: 30 }, () => guess(makeKeyText(randomUUID())));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
    // The address is slowed, even if the key is right.
    const slowed = await guess('gw-guess-31');
    expect([slowed.status, slowed.headers['retry-after']]).toEqual([429, '60']);
    expect(slowed.text).not.toContain('gw-guess');
    expect((await guess(adminKey)).status).toBe(429);
  });
});
