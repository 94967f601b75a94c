import { describe, expect, it, onTestFinished } from 'vitest';
import { makeKeyText } from '../../../plugins/control/access/keys/key-text.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import {
  adminKey,
  callControl,
  control,
  makeKey,
  serveStore,
  sharedStore,
} from '../../support/gateways/stored-gateway.ts';
import { patience } from '../../support/run/patience.ts';

const guess = 'sk-guessed-0123456789-abcdefghijklmnop';

/** Every way in which a key can be presented. */
const roads = [
  ['POST', '/v1/chat/completions'],
  ['POST', '/v1/assistants'],
  ['GET', '/v1/models'],
  ['GET', '/metrics'],
  ['GET', '/readyz'],
] as const;

const present = async (
  { origin }: GatewayProcess,
  key: string,
  [method, path]: readonly [string, string],
): Promise<void> => {
  const body = method === 'POST' ? { body: '{}' } : {};
  const headers = path === '/v1/models' ? { authorization: `Bearer ${key}` } : { 'x-gw-api-key': key };
  const answer = await fetch(origin + path, { method, headers, ...body });
  expect(answer.status, path).toBe(path === '/readyz' ? 200 : 401);
  await answer.arrayBuffer();
};

interface Audit {
  readonly actor: string;
  readonly client_ip: string | null;
  readonly workspace_id: string | null;
  readonly status: number;
  readonly detail: { readonly count: number };
}

const audits = async (gateway: GatewayProcess): Promise<readonly Audit[]> => {
  const { text } = await callControl(gateway, 'GET /audit-logs?action=refused&page_size=100');
  return JSON.parse(text).data;
};

const metrics = async ({ origin }: GatewayProcess, key: string | undefined): Promise<string> => {
  const headers = key === undefined ? {} : { 'x-gw-api-key': key };
  return (await fetch(`${origin}/metrics`, { headers })).text();
};

describe('a service key', () => {
  const served = sharedStore(() => ({ files: { 'gateway.json': { metrics: true } } }));

  it('is neither audited nor counted if it is missing or valid', async () => {
    const gateway = served();
    await fetch(`${gateway.baseUrl}/models`);
    await callControl(gateway, 'GET /api-keys');
    expect(await audits(gateway)).toEqual([]);
    expect(await metrics(gateway, adminKey)).not.toMatch(/^gatewright_refused_keys_(?:total|recent)[ {]/m);
  });

  it('is audited and counted if a gateway with a store refuses it, and its secret appears nowhere', async () => {
    const gateway = served();
    const { id, key } = await makeKey(gateway, 'app');
    await control(gateway, `DELETE /api-keys/${id}`);
    await expect
      .poll(
        async () => (await fetch(`${gateway.baseUrl}/models`, { headers: { 'x-gw-api-key': key } })).status,
        patience,
      )
      .toBe(401);
    for (const road of roads) await present(gateway, guess, road);
    await expect
      .poll(() => audits(gateway), patience)
      .toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            actor: id,
            client_ip: '127.0.0.1',
            status: 401,
            detail: expect.objectContaining({ count: 1 }),
          }),
          expect.objectContaining({ actor: 'unknown', client_ip: '127.0.0.1', workspace_id: null }),
        ]),
      );
    const written = await audits(gateway);
    expect(written.find(({ actor }) => actor === id)?.workspace_id).not.toBeNull();
    const text = await metrics(gateway, adminKey);
    const total = Number(/^gatewright_refused_keys_total (\d+)$/m.exec(text)?.[1]);
    expect(total).toBeGreaterThanOrEqual(roads.length + 1);
    expect(text).toContain(`gatewright_refused_keys_recent{address="127.0.0.1",key_id="unknown"} ${roads.length}`);
    expect(text).toMatch(
      new RegExp(`refused_keys_recent\\{address="127.0.0.1",key_id="${id}"\\} ${total - roads.length}`),
    );
    const everything = JSON.stringify(written) + text + gateway.printed();
    expect(everything).not.toContain(guess);
    expect(everything).not.toContain(key.split('-')[2] ?? '');
  });

  it('does not flood the audit log or the metrics when somebody guesses keys', async () => {
    const gateway = await serveStore(undefined, { files: { 'gateway.json': { metrics: true } } });
    for (let round = 0; round < 8; round += 1)
      await Promise.all(
        Array.from({ length: 25 }, () => present(gateway, makeKeyText(crypto.randomUUID()), ['GET', '/v1/models'])),
      );
    expect((await audits(gateway)).length).toBeLessThanOrEqual(2);
    const text = await metrics(gateway, adminKey);
    expect(text).toContain('gatewright_refused_keys_total 200');
    expect(text.match(/^gatewright_refused_keys_recent/gm)?.length).toBeLessThanOrEqual(4);
    gateway.signal('SIGTERM');
    expect(await gateway.exited).toBe(0);
    const again = await serveStore(undefined, { folder: gateway.folder });
    const written = await audits(again);
    expect(written.length).toBeLessThanOrEqual(3);
    expect(written.reduce((sum, { detail }) => sum + detail.count, 0)).toBe(200);
  });

  it('is counted and reported once to the operator if a gateway without a store refuses it', async () => {
    const gateway = await startGateway({
      files: { 'gateway.json': { auth: { keys: [{ id: 'team', key: '${env:TEAM_KEY}' }] }, metrics: { port: 0 } } },
      env: { TEAM_KEY: 'the-key-of-the-team-0123456789' },
    });
    onTestFinished(() => gateway.stop());
    for (const road of roads.slice(0, 3)) for (let time = 0; time < 5; time += 1) await present(gateway, guess, road);
    const line = 'gw: A service key was refused. The request came from 127.0.0.1.\n';
    expect(gateway.printed().split(line).length - 1).toBe(1);
    expect(gateway.printed()).not.toContain(guess);
    gateway.signal('SIGTERM');
    await gateway.exited;
    expect(gateway.printed()).toMatch(/gw: 14 further service keys were refused since \S+, all from 127\.0\.0\.1\.\n/);
  });
});
