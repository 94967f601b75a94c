import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { poolSizes } from '../../../plugins/control/kernel/fairness/shared-pools.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { adminKey, callControl, chat, control } from '../../support/gateways/stored-gateway.ts';
import { read, readRecord } from './support/logged.ts';

describe('the routes of the log', () => {
  let gateway: GatewayProcess;
  beforeAll(async () => {
    gateway = await startGateway({ args: ['--store', 'gateway.db'], env: { GW_ADMIN_KEY: adminKey } });
  });
  afterAll(() => gateway.stop());

  const sent = (trace: string, count: number, text = ''): readonly object[] =>
    Array.from({ length: count }, (_, at) => ({
      request: { url: 'https://api.test/v1/chat', body: { model: 'm' } },
      response: { status: at % 2 === 0 ? 200 : 500, body: { usage: { prompt_tokens: 2 } }, response_time: 12.5 },
      metadata: { trace_id: trace, text },
    }));

  it('accept records of requests that the gateway has not served, and mark them', async () => {
    await control(gateway, 'POST /logs', { body: sent('alone', 1)[0] ?? {} });
    expect(await readRecord(gateway, 'alone')).toMatchObject({
      ...{ source: 'sent', operation: 'sent', model: 'm', ms: 12.5, input_tokens: 2, cost_nano_usd: 0, trail: [] },
      url: 'https://api.test/v1/chat',
    });
    await control(gateway, 'POST /logs', { body: sent('many', 100) });
    const { body } = await read(gateway, '/logs?trace_id=many&is_success=false&limit=30');
    expect(body).toMatchObject({ object: 'list', has_more: true, last_id: body.data[29].id });
    const rest = (await read(gateway, `/logs?trace_id=many&is_success=false&limit=30&after=${body.last_id}`)).body;
    expect([rest.data.length, rest.has_more]).toEqual([20, false]);
    expect((await callControl(gateway, 'POST /logs', { body: sent('many', 101) })).status).toBe(400);
    expect((await callControl(gateway, 'POST /logs', { body: { request: {}, response: {} } })).text).toContain('url');
  });

  it('find a record by its trace id if no other record has it', async () => {
    await control(gateway, 'POST /logs', { body: sent('order/4711', 1)[0] ?? {} });
    const { id } = await readRecord(gateway, 'order/4711');
    expect((await read(gateway, '/logs/order%2F4711')).body).toMatchObject({ object: 'log', id });
    await control(gateway, 'POST /logs', { body: sent('twice', 2) });
    const { data } = (await read(gateway, '/logs?trace_id=twice')).body;
    const ids = data.map((each: { readonly id: string }) => each.id).join(', ');
    const { status, body } = await read(gateway, '/logs/twice');
    expect([status, body.error.message]).toEqual([
      404,
      `There is no log "twice". Several requests have this trace. Use the id of one of them, such as ${ids}.`,
    ]);
    expect((await read(gateway, `/logs/${'a'.repeat(3000)}`)).status).toBe(404);
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['after=nothing', 'after'],
    ['modle=m', 'model'],
    ['end=broken', 'end'],
    ['status=many', 'status'],
  ])('reject the query %s', async (query, word) => {
    const { status, body } = await read(gateway, `/logs?${query}`);
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain(word);
  });

  it('require the scopes of their names', async () => {
    const { key = '' } = await control(gateway, 'POST /api-keys', {
      body: { name: 'lists', scopes: ['logs.list'], kind: 'workspace-service', workspace_id: 'default' },
    });
    const { body } = await read(gateway, '/logs', { key });
    const paths = [`/logs/${body.data[0].id}`, '/logs/export', '/analytics/graphs/requests?time_min=0&time_max=1'];
    const answers = await Promise.all(paths.map((path) => read(gateway, path, { key })));
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
  });

  it('export all records as lines, as fast as the client reads, and end when it disconnects', async () => {
    const text = 'x'.repeat(4000);
    for (let at = 0; at < 20; at += 1) await control(gateway, 'POST /logs', { body: sent('large', 100, text) });
    const headers = { 'x-gw-api-key': adminKey };
    const whole = await (await fetch(`${gateway.baseUrl}/logs/export?trace_id=large`, { headers })).text();
    const lines = whole.trimEnd().split('\n');
    expect(lines).toHaveLength(2000);
    const ids = lines.map((line) => JSON.parse(line).id);
    expect(ids).toEqual([...new Set(ids)].sort().reverse());

    const slow = request(`${gateway.baseUrl}/logs/export?trace_id=large`, { headers }).end();
    const [answer] = await once(slow, 'response');
    answer.pause();
    await chat(gateway, { key: adminKey });
    answer.destroy();
    await once(answer, 'close');
    expect((await read(gateway, '/logs?limit=1')).status).toBe(200);
    expect(gateway.printed()).not.toMatch(/failed/);
  });

  it('export for one workspace while another has its share of exports open without reading', async () => {
    await control(gateway, 'POST /workspaces', { body: { name: 'Reader', slug: 'reader' } });
    await control(gateway, 'POST /logs', { body: sent('reader', 3), workspace: 'reader' });
    const headers = { 'x-gw-api-key': adminKey };
    const paused = Array.from({ length: poolSizes.exports.size / 4 }, () =>
      request(`${gateway.baseUrl}/logs/export?trace_id=large`, { headers, agent: false }).end(),
    );
    for (const each of paused) {
      each.on('error', () => {});
      const [answer] = await once(each, 'response');
      answer.pause();
    }
    const order: string[] = [];
    const waiting = fetch(`${gateway.baseUrl}/logs/export?trace_id=alone`, { headers }).then(() =>
      order.push('waited'),
    );
    const other = { ...headers, 'x-gw-workspace': 'reader' };
    const lines = await (await fetch(`${gateway.baseUrl}/logs/export`, { headers: other })).text();
    order.push(`other ${lines.trimEnd().split('\n').length}`);
    paused[0]?.destroy();
    await waiting;
    expect(order).toEqual(['other 3', 'waited']);
    for (const each of paused) each.destroy();
  });

  it('accept feedback, one or several at a time, and let it be changed', async () => {
    const wrong = [{ value: 11 }, { value: 1.5 }, { value: 1, weight: 2 }, { value: 1, note: 'x' }];
    for (const each of wrong)
      expect((await callControl(gateway, 'POST /feedback', { body: { trace_id: 'alone', ...each } })).status).toBe(400);
    const given = [
      { trace_id: 'alone', value: -10 },
      { trace_id: 'alone', value: 5, weight: 0.25, metadata: { by: 'ada' } },
    ];
    const { text } = await callControl(gateway, 'POST /feedback', { body: given });
    const { status, feedback_ids: ids } = JSON.parse(text);
    expect([status, ids.length]).toEqual(['success', 2]);
    await control(gateway, `PUT /feedback/${ids[0]}`, { body: { weight: 0.5 } });
    expect((await readRecord(gateway, 'alone')).feedback).toMatchObject([
      { value: 5, weight: 0.25, metadata: { by: 'ada' } },
      { id: ids[0], value: -10, weight: 0.5, metadata: {} },
    ]);
    await control(gateway, 'POST /workspaces', { body: { name: 'Other', slug: 'other' } });
    const foreign = { body: { value: 1 }, workspace: 'other' };
    expect((await callControl(gateway, `PUT /feedback/${ids[0]}`, foreign)).status).toBe(404);
  });

  it('draw hourly graphs of the requests that the gateway has served', async () => {
    await chat(gateway, { key: adminKey });
    const now = Date.now() / 1000;
    const graph = (path: string, query = '') =>
      read(gateway, `/analytics/graphs/${path}?time_min=${now - 7200}&time_max=${now + 60}${query}`);
    await expect.poll(async () => (await graph('requests')).body.summary.total).toBe(2);
    const { body } = await graph('tokens', '&provider=echo');
    expect(body).toMatchObject({ object: 'analytics-graph', summary: { total: expect.any(Number) } });
    expect(body.data_points.length).toBeGreaterThanOrEqual(3);
    expect(body.data_points[0]).toMatchObject({ timestamp: Math.floor((now - 7200) / 3600) * 3600, total: 0 });
    expect((await graph('errors')).body.summary).toEqual({ total: 0, rate: 0 });
    expect((await graph('latency')).body.summary.max).toBeGreaterThan(0);
    expect((await graph('cost')).body.summary).toHaveProperty('total');
    expect((await graph('cache/hit-rate')).body.summary).toEqual({ rate: 0, hits: 0, misses: 0 });
    expect((await graph('requests', '&model=another')).body.summary).toEqual({ total: 0 });
    expect((await read(gateway, '/analytics/graphs/requests?time_min=5')).status).toBe(400);
    expect((await read(gateway, '/analytics/graphs/requests?time_min=5&time_max=5')).status).toBe(400);
  });
});
