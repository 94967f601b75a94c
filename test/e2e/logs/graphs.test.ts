import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { adminKey, callControl, chat, control } from '../../support/gateways/stored-gateway.ts';
import { read } from './support/logged.ts';

describe('graphs of the log', () => {
  let gateway: GatewayProcess;
  const now = Date.now() / 1000;
  const range = `time_min=${now - 7200}&time_max=${now + 3600}`;
  const graph = (path: string, query = '', key = adminKey) =>
    read(gateway, `/analytics/graphs/${path}?${range}${query}`, { key });

  beforeAll(async () => {
    gateway = await startGateway({
      args: ['--store', 'gateway.db'],
      env: { GW_ADMIN_KEY: adminKey },
      files: { 'gateway.json': { metadata: { team: { type: 'string' } } } },
    });
    for (const team of ['red', 'red', 'blue'])
      await fetch(`${gateway.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: {
          ...{ 'content-type': 'application/json', 'x-gw-api-key': adminKey, 'x-gw-provider': 'echo' },
          'x-gw-metadata': JSON.stringify({ team, colour: 'green' }),
        },
        body: JSON.stringify({ model: 'any', messages: [{ role: 'user', content: 'Hello?' }] }),
      });
  });
  beforeEach(async () => {
    await expect.poll(async () => (await graph('requests')).body.summary.total).toBe(3);
  });
  afterAll(() => gateway.stop());

  const values = (body: { splits: readonly { value: string | null; summary: { total: number } }[] }) =>
    body.splits.map(({ value, summary }) => [value, summary.total]);

  it('split exactly by a label that the gateway file declares', async () => {
    const { body } = await graph('requests', '&split_by=metadata.team');
    expect(body).not.toHaveProperty('sampled');
    expect(values(body)).toEqual([
      ['red', 2],
      ['blue', 1],
    ]);
    expect((await graph('requests', '&metadata=team%3Dred')).body.summary).toEqual({ total: 2 });
    const { body: limited } = await graph('requests', '&split_by=metadata.team&limit=1');
    expect(limited.splits).toMatchObject([
      { value: 'red', summary: { total: 2 } },
      { value: null, is_other: true, summary: { total: 1 } },
    ]);
  });

  it('split by an undeclared label, or by two dimensions at once, from the log', async () => {
    expect(values((await graph('requests', '&split_by=metadata.colour')).body)).toEqual([['green', 3]]);
    const { body } = await graph('requests', '&split_by=metadata.team&provider=echo');
    expect(values(body)).toEqual([
      ['red', 2],
      ['blue', 1],
    ]);
    expect((await graph('requests', '&step=minute')).body.summary).toEqual({ total: 3 });
  });

  it('report percentiles of durations', async () => {
    const { summary } = (await graph('latency')).body;
    expect(summary.p50).toBeGreaterThan(0);
    expect(summary.p99).toBeLessThanOrEqual(summary.max * 1.02);
    expect((await graph('first-byte')).body.summary.p95).toBeGreaterThan(0);
    expect((await graph('rescued')).body.summary).toEqual({ total: 0, rate: 0 });
  });

  it('report in one summary the same figures as each graph', async () => {
    const paths = ['requests', 'errors', 'cost', 'tokens', 'latency', 'first-byte', 'cache/hit-rate', 'rescued'];
    for (const filter of ['', '&provider=echo', '&metadata=team%3Dred', '&metadata=colour%3Dgreen', '&model=none']) {
      const each = await Promise.all(paths.map(async (path) => [path, (await graph(path, filter)).body] as const));
      const { body } = await read(gateway, `/analytics/summary?${range}${filter}`, { key: adminKey });
      const { object, sampled, share, splits_from, ...figures } = body;
      expect(object).toBe('analytics-summary');
      expect(figures).toEqual(
        Object.fromEntries(each.map(([path, { summary }]) => [path.replaceAll(/\W/g, '_'), summary])),
      );
      const { body: of } = await graph('latency', filter);
      expect({ sampled, share, splits_from }).toEqual({
        sampled: of.sampled,
        share: of.share,
        splits_from: of.splits_from,
      });
    }
  });

  it.each([
    ['split_by=colour', 'split_by'],
    ['split_by=metadata.', 'split_by'],
    ['split_by=workspace&model=m', 'split_by'],
    ['metadata=team', 'metadata'],
    ['metadata=%3Dred', 'metadata'],
    ['step=second', 'step'],
    ['limit=0', 'limit'],
    ['limit=1000', 'limit'],
    ['outcome=fine', 'outcome'],
    [`step=minute&time_min=${now - 200_000}`, 'step'],
    [`step=hour&time_min=${now - 20_000_000}`, 'step'],
  ])('reject the query %s', async (query, word) => {
    const asked = new URLSearchParams(range);
    for (const [name, value] of new URLSearchParams(query)) asked.set(name, value);
    const { status, body } = await read(gateway, `/analytics/graphs/requests?${asked}`);
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain(word);
  });

  it('cover the workspace of a key, and split by workspace if a key can access its whole organisation', async () => {
    await control(gateway, 'POST /workspaces', { body: { name: 'Beside', slug: 'beside' } });
    const { key = '' } = await control(gateway, 'POST /api-keys/workspace/service', {
      body: { name: 'beside', scopes: ['analytics.view', 'completions.write'], workspace_id: 'beside' },
    });
    await chat(gateway, { key });
    await expect.poll(async () => (await graph('requests', '', key)).body.summary.total).toBe(1);
    for (const split of ['workspace', 'model', 'metadata.team', 'metadata.colour'])
      expect((await graph('requests', `&split_by=${split}`, key)).body.summary, split).toEqual({ total: 1 });
    expect((await graph('requests', '&step=minute', key)).body.summary).toEqual({ total: 1 });
    const { body } = await graph('requests', '&split_by=workspace');
    expect(values(body).map(([, total]) => total)).toEqual([3, 1]);
    const { key: other = '' } = await control(gateway, 'POST /api-keys/workspace/service', {
      body: { name: 'no scope', scopes: ['completions.write'], workspace_id: 'beside' },
    });
    expect((await callControl(gateway, `GET /analytics/graphs/requests?${range}`, { key: other })).status).toBe(403);
  });
});
