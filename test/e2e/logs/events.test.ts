import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { poolSizes } from '../../../plugins/control/kernel/fairness/shared-pools.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { adminKey, callControl, chat, control } from '../../support/gateways/stored-gateway.ts';
import { patience } from '../../support/run/patience.ts';
import { isSampled } from '../../support/run/sampled-pairs.ts';
import { type PostgresServer, postgresFolder, startPostgres } from '../../support/servers/postgres-server.ts';
import { type FollowOptions, followLog } from './support/followed-log.ts';

const programs = postgresFolder();

const sent = (model: string, labels: object = {}) => ({
  request: { url: 'https://api.test/v1/chat', body: { model } },
  response: { status: 200, body: {} },
  metadata: labels,
});

/** Each store is tested with each number of workers. Each day, one store is tested with one worker and the other with two. */
const stored = ['SQLite', 'PostgreSQL'].flatMap((store, at) =>
  [1, 2].filter((workers) => isSampled(at, workers, 2)).map((workers) => ({ store, workers })),
);

describe.each(stored)('the events of the log in $store, with $workers workers', ({ store, workers }) => {
  const isThere = store === 'SQLite' || programs !== undefined;
  let gateway: GatewayProcess;
  let postgres: PostgresServer | undefined;

  beforeAll(async () => {
    if (!isThere) return;
    if (store === 'PostgreSQL') postgres = await startPostgres(programs ?? '');
    gateway = await startGateway({
      args: ['--store', postgres?.url ?? 'gateway.db', '--workers', String(workers)],
      env: { GW_ADMIN_KEY: adminKey, GW_MASTER_KEY: Buffer.alloc(32, 1).toString('base64') },
    });
    await control(gateway, 'POST /workspaces', { body: { name: 'Other', slug: 'other' } });
  });
  afterAll(async () => {
    await gateway?.stop();
    await postgres?.stop();
  });

  const follow = async (options: FollowOptions = {}) => {
    const followed = await followLog(gateway, options);
    onTestFinished(followed.leave);
    return followed;
  };
  const send = (model: string, { labels, workspace }: { labels?: object; workspace?: string } = {}) =>
    control(gateway, 'POST /logs', { body: sent(model, labels), ...(workspace === undefined ? {} : { workspace }) });

  it.runIf(isThere)('answer HEAD requests', async () => {
    const url = `${gateway.baseUrl}/logs/events`;
    const { status, headers } = await fetch(url, { method: 'HEAD', headers: { 'x-gw-api-key': adminKey } });
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  });

  it.runIf(isThere)('include the requests of all workers as they end, with the members of the list', async () => {
    const { logs, status, headers } = await follow({ query: 'source=gateway' });
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    const count = 12;
    await Promise.all(Array.from({ length: count }, () => chat(gateway, { key: adminKey })));
    await expect.poll(() => logs().length, patience).toBe(count);
    expect(new Set(logs().map(({ id }) => id)).size).toBe(count);
    const listed = await callControl(gateway, 'GET /logs?source=gateway&limit=100');
    const byId = new Map((JSON.parse(listed.text).data as { id: string }[]).map((record) => [record.id, record]));
    for (const record of logs()) expect(record).toEqual(byId.get(record.id));
  });

  it.runIf(isThere)('resume after the last known event: none is lost, and none is sent twice', async () => {
    const first = await follow({ query: 'metadata.part=resumed' });
    const models = Array.from({ length: 9 }, (_, at) => `r${at}`);
    const labels = { part: 'resumed' };
    for (const model of models.slice(0, 4)) await send(model, { labels });
    await expect.poll(() => first.logs().length, patience).toBe(4);
    first.leave();
    for (const model of models.slice(4)) await send(model, { labels });
    for (const [at, { id }] of first
      .events()
      .filter(({ event }) => event === 'log')
      .entries()) {
      const again = await follow({ query: 'metadata.part=resumed', lastEventId: id });
      await expect.poll(() => again.logs().map(({ model }) => model), patience).toEqual(models.slice(at + 1));
      again.leave();
    }
    const refused = await follow({ lastEventId: 'somewhere' });
    expect(refused.status).toBe(400);
  });

  it.runIf(isThere)('include only requests of the own workspace', async () => {
    const [own, other] = [await follow(), await follow({ workspace: 'other' })];
    await send('ours');
    await send('theirs', { workspace: 'other' });
    await expect.poll(() => other.logs().map(({ model }) => model), patience).toEqual(['theirs']);
    await expect.poll(() => own.logs().map(({ model }) => model), patience).toEqual(['ours']);
    // A position in the log is no secret, and reveals no records of others.
    const [event] = own.events();
    const curious = await follow({ workspace: 'other', lastEventId: event?.id ?? '' });
    await send('theirs-too', { workspace: 'other' });
    await expect.poll(() => curious.logs().map(({ model }) => model), patience).toEqual(['theirs', 'theirs-too']);
  });

  it.runIf(isThere)('require the scope of the list, and end when the key is deleted', async () => {
    const make = async (name: string, scopes: readonly string[]) =>
      control(gateway, 'POST /api-keys', {
        body: { name, scopes, kind: 'workspace-service', workspace_id: 'default' },
      });
    const without = await make('writes', ['logs.write']);
    await expect.poll(async () => (await follow({ key: without.key ?? '' })).status, patience).toBe(403);
    const { id, key = '' } = await make('reads', ['logs.list']);
    await expect.poll(async () => (await follow({ key })).status, patience).toBe(200);
    const open = await follow({ key });
    await control(gateway, `DELETE /api-keys/${id}`);
    await expect.poll(open.end, patience).toBe('complete');
  });

  it.runIf(isThere && workers === 1)(
    'can be followed as often as the share of a workspace allows, without taking the share of others',
    async () => {
      const share = poolSizes.logStreams.size / 4;
      const open = await Promise.all(Array.from({ length: share }, () => follow({ workspace: 'other' })));
      expect(open.filter(({ status }) => status === 200)).toHaveLength(share);
      expect((await follow({ workspace: 'other' })).status).toBe(429);
      expect((await follow()).status).toBe(200);
      for (const { leave } of open) leave();
      await expect.poll(async () => (await follow({ workspace: 'other' })).status, patience).toBe(200);
    },
  );

  it.runIf(isThere)('end cleanly when the gateway stops', async () => {
    const followed = await Promise.all(Array.from({ length: 8 }, () => follow()));
    gateway.signal('SIGTERM');
    expect(await gateway.exited).toBe(0);
    for (const { end } of followed) await expect.poll(end, patience).toBe('complete');
  });
});
