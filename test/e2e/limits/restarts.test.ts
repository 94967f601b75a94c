import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import type { GatewayProcess } from '../../support/gateways/gateway-process.ts';
import { callControl, control, makeKey } from '../../support/gateways/stored-gateway.ts';
import { patience } from '../../support/run/patience.ts';
import { hasRedis, startRedis } from '../../support/servers/redis-server.ts';
import {
  ask,
  asked,
  gatewayFile,
  limitedGateway,
  makePolicy,
  saveTarget,
  serveLimited,
  sharedLimited,
  toSum,
} from './support/limited-gateway.ts';

/** Returns the tokens of all attempts in the ledger. */
const readWritten = async (gateway: Pick<GatewayProcess, 'baseUrl'>): Promise<number> => {
  const { summary } = await control(gateway, 'GET /usage');
  return (summary?.input_tokens ?? 0) + (summary?.output_tokens ?? 0);
};

it('keeps the usage after the gateway was stopped, and after it was killed', async () => {
  const folder = temporaryFolder();
  const { gateway, key } = await limitedGateway('gateway.db', { folder });
  const policy = await makePolicy(gateway, 'usage-limits', { type: 'tokens', credit_limit: 100 });
  await asked(gateway, { input: 40 }, key);
  gateway.signal('SIGTERM');
  expect(await gateway.exited).toBe(0);

  const second = await serveLimited('gateway.db', { folder });
  expect(await toSum(second, policy)).toBe(40);
  await asked(second, { input: 50 }, key);
  const hanging = asked(second, { waitMs: 60_000 }, key).catch(() => 'It was cut.');
  await vi.waitFor(async () => expect(await readWritten(second)).toBe(90), patience);
  second.signal('SIGKILL');
  await second.exited;
  expect(await hanging).toBe('It was cut.');

  const third = await serveLimited('gateway.db', { folder });
  expect(await toSum(third, policy)).toBe(90);
  expect((await asked(third, { input: 10 }, key)).status).toBe(200);
  expect((await asked(third, { input: 1 }, key)).status).toBe(412);
});

it("keeps the usage of a key's budget that was removed, and is set again after a restart", async () => {
  const folder = temporaryFolder();
  const { gateway, key } = await limitedGateway('gateway.db', { folder });
  const change = (at: GatewayProcess, usage_limits: object | null) =>
    control(at, `PUT /api-keys/${key.id}`, { body: { usage_limits } });
  const limit = { type: 'tokens', credit_limit: 100 };
  await change(gateway, limit);
  await asked(gateway, { input: 100 }, key);
  await change(gateway, null);
  gateway.signal('SIGTERM');
  expect(await gateway.exited).toBe(0);

  const second = await serveLimited('gateway.db', { folder });
  expect((await asked(second, { input: 1 }, key)).status).toBe(200);
  await change(second, limit);
  expect(await control(second, `GET /api-keys/${key.id}`)).toMatchObject({ status: 'exhausted' });
  expect((await asked(second, { input: 1 }, key)).status).toBe(412);
});

it('keeps the usage after the period of a limit was changed to one that began earlier', async () => {
  const folder = temporaryFolder();
  const { gateway, key } = await limitedGateway('gateway.db', { folder });
  const monthly = { type: 'tokens', credit_limit: 100, periodic_reset: 'monthly' };
  const policy = await makePolicy(gateway, 'usage-limits', monthly);
  await asked(gateway, { input: 10 }, key);
  await control(gateway, `PUT /policies/usage-limits/${policy}`, { body: { periodic_reset: null } });
  await vi.waitFor(async () => expect(await toSum(gateway, policy)).toBe(0), patience);
  await asked(gateway, { input: 100 }, key);
  expect((await asked(gateway, { input: 1 }, key)).status).toBe(412);
  gateway.signal('SIGTERM');
  expect(await gateway.exited).toBe(0);

  const second = await serveLimited('gateway.db', { folder });
  expect(await toSum(second, policy)).toBe(100);
  expect((await asked(second, { input: 1 }, key)).status).toBe(412);
});

it('continues with the usage of a period that a limit has again after a restart', async () => {
  const folder = temporaryFolder();
  const { gateway, key } = await limitedGateway('gateway.db', { folder });
  const monthly = { type: 'tokens', credit_limit: 100, periodic_reset: 'monthly' };
  const policy = await makePolicy(gateway, 'usage-limits', monthly);
  const toPeriod = (at: GatewayProcess, periodic_reset: string | null) =>
    control(at, `PUT /policies/usage-limits/${policy}`, { body: { periodic_reset } });
  await asked(gateway, { input: 100 }, key);
  await toPeriod(gateway, null);
  await vi.waitFor(async () => expect((await asked(gateway, { input: 1 }, key)).status).toBe(200), patience);
  gateway.signal('SIGTERM');
  expect(await gateway.exited).toBe(0);

  const second = await serveLimited('gateway.db', { folder });
  await toPeriod(second, 'monthly');
  await vi.waitFor(async () => expect(await toSum(second, policy)).toBe(100), patience);
  await vi.waitFor(async () => expect((await asked(second, {}, key)).status).toBe(412), patience);
});

it.runIf(hasRedis)(
  'counts in Redis the requests in flight when clients disconnected, and when a restart aborted them',
  async () => {
    const redis = await startRedis();
    onTestFinished(() => redis.stop());
    const folder = temporaryFolder();
    const files = {
      'gateway.json': {
        ...gatewayFile,
        store: { url: 'gateway.db', limits: { url: redis.url } },
        limits: { drain_ms: 200 },
      },
    };
    const { gateway, key } = await limitedGateway('gateway.db', { folder, files });
    const policy = await makePolicy(gateway, 'usage-limits', { type: 'tokens', credit_limit: 100_000 });
    const inFlight = async (signal?: AbortSignal): Promise<Response> =>
      ask(gateway, { pieces: 3, end: 'never' }, { ...key, stream: true, ...(signal === undefined ? {} : { signal }) });
    const leaving = new AbortController();
    const streams = await Promise.all(
      Array.from({ length: 6 }, (_, at) => inFlight(at < 3 ? leaving.signal : undefined)),
    );
    const texts = streams.map((answer) => answer.text().catch(() => 'left'));
    leaving.abort();
    await asked(gateway, { input: 40 }, key);
    gateway.signal('SIGTERM');
    expect(await gateway.exited).toBe(0);
    const ends = await Promise.all(texts);
    expect(ends.slice(0, 3)).toEqual(['left', 'left', 'left']);
    for (const end of ends.slice(3)) expect(end).toContain('The gateway is shutting down, ');

    const second = await serveLimited('gateway.db', { folder, files });
    await vi.waitFor(async () => expect(await toSum(second, policy)).toBe(await readWritten(second)), patience);
    expect(await toSum(second, policy)).toBeGreaterThan(40);
    expect((await control(second, 'GET /usage')).summary).toMatchObject({ attempts: 7 });
  },
);

describe('limits of one gateway', () => {
  const limited = sharedLimited();

  it('writes changes and reached limits to the audit log, and notifies the operator once of a reached limit', async () => {
    const { gateway, upstream } = await limited();
    await saveTarget(gateway, { upstream, slug: 'audited' });
    const key = await makeKey(gateway, 'audited');
    const policy = await makePolicy(gateway, 'usage-limits', {
      ...{ name: 'Alerting', type: 'tokens', credit_limit: 20, alert_threshold: 10 },
    });
    for (let at = 0; at < 3; at += 1) await asked(gateway, { input: 10 }, { ...key, provider: '@audited' });
    const records = async (query: string): Promise<readonly object[]> => {
      const { data } = await control(gateway, `GET /audit-logs?${query}`);
      return Array.isArray(data) ? data : [];
    };
    await vi.waitFor(async () => expect(await records('action=limit_reached')).toHaveLength(2), patience);
    expect(await records('action=limit_reached')).toMatchObject([
      { actor: 'gateway', detail: { kind: 'exhausted', policy, used: 20, limit: 20 } },
      { actor: 'gateway', detail: { kind: 'threshold', policy, used: 10, limit: 20 } },
    ]);
    expect(gateway.printed().match(/Of the limit "Alerting", \d+ tokens of 20 tokens are used/g)).toEqual([
      'Of the limit "Alerting", 10 tokens of 20 tokens are used',
      'Of the limit "Alerting", 20 tokens of 20 tokens are used',
    ]);
    expect(await records('resource_type=policies&action=create')).toMatchObject([
      { method: 'POST', uri: '/v1/policies/usage-limits', status: 200, client_ip: '127.0.0.1' },
    ]);
    // After a reset the operator is notified again, and the first notice remains.
    await vi.waitFor(async () => expect(await toSum(gateway, policy)).toBe(20), patience);
    const { data } = await control(gateway, `GET /policies/usage-limits/${policy}/entities`);
    const [entity] = Array.isArray(data) ? data : [];
    await control(gateway, `PUT /policies/usage-limits/${policy}/entities/${entity?.id}/reset`);
    const notified = async () => {
      const answer = (await control(gateway, `GET /policies/usage-limits/${policy}?include_usage=true`)) as {
        readonly value_key_usage_map?: object;
      };
      return Object.values(answer.value_key_usage_map ?? {});
    };
    expect(await notified()).toEqual([]);
    await asked(gateway, { input: 10 }, { ...key, provider: '@audited' });
    await vi.waitFor(
      async () =>
        expect(await notified()).toMatchObject([{ is_threshold_alerts_sent: true, is_exhausted_alerts_sent: false }]),
      patience,
    );
    expect(await records('action=limit_reached')).toMatchObject([
      { detail: { kind: 'threshold', used: 10 } },
      { detail: { kind: 'exhausted', used: 20 } },
      { detail: { kind: 'threshold', used: 10 } },
    ]);
    await callControl(gateway, 'DELETE /policies/usage-limits/00000000-0000-4000-8000-000000000000');
    await vi.waitFor(
      async () => expect(await records('resource_type=policies&action=delete')).toMatchObject([{ status: 404 }]),
      patience,
    );
    const seen = await callControl(gateway, 'GET /audit-logs', { key: key.key });
    expect(seen.status).toBe(403);
  });

  it('notifies the operator again when a raised budget is used up', async () => {
    const { gateway, upstream } = await limited();
    await saveTarget(gateway, { upstream, slug: 'raised' });
    const key = await makeKey(gateway, 'raised');
    const policy = await makePolicy(gateway, 'usage-limits', { name: 'Raised', type: 'tokens', credit_limit: 20 });
    await asked(gateway, { input: 20 }, { ...key, provider: '@raised' });
    await control(gateway, `PUT /policies/usage-limits/${policy}`, { body: { credit_limit: 40 } });
    await asked(gateway, { input: 20 }, { ...key, provider: '@raised' });
    await vi.waitFor(
      () =>
        expect(gateway.printed().match(/Of the limit "Raised", \d+ tokens of \d+ tokens are used/g)).toEqual([
          'Of the limit "Raised", 20 tokens of 20 tokens are used',
          'Of the limit "Raised", 40 tokens of 40 tokens are used',
        ]),
      patience,
    );
    await control(gateway, `DELETE /policies/usage-limits/${policy}`);
  });

  it('counts two tenants separately even if their names are identical', async () => {
    const { gateway, upstream, key } = await limited();
    const { id: workspace = '' } = await control(gateway, 'POST /workspaces', {
      body: { name: 'Other', slug: 'other' },
    });
    const inOther = async (request: string, body: object): Promise<{ readonly id?: string; readonly key?: string }> => {
      const reply = await callControl(gateway, request, { body, workspace: 'other' });
      if (reply.status !== 200) throw new Error(`${request}: ${reply.text}`);
      return reply.body;
    };
    const settings = { custom_host: `${upstream.origin}/v1` };
    await inOther('POST /providers', {
      ...{ name: 'main', slug: 'main', provider: 'openai', credential: { api_key: 'sk' }, settings },
    });
    const made = await inOther('POST /api-keys/workspace/service', {
      ...{ name: 'limited', scopes: ['completions.write'], workspace_id: workspace },
    });
    const other = { key: made.key ?? '' };
    const limit = { name: 'Same', type: 'tokens', credit_limit: 10 };
    const grouped = { conditions: [{ key: 'provider', value: 'openai' }], group_by: [{ key: 'metadata._user' }] };
    for (const workspace_id of ['default', workspace])
      await makePolicy(gateway, 'usage-limits', { ...limit, ...grouped, workspace_id });
    const as = (who: { readonly key: string }) => asked(gateway, { input: 10 }, { ...who, metadata: { _user: 'ann' } });
    expect((await as(key)).status).toBe(200);
    expect((await as(key)).status).toBe(412);
    expect((await as(other)).status).toBe(200);
    expect((await as(other)).status).toBe(412);
  });
});
