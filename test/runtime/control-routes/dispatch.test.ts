import { describe, expect, it } from 'vitest';
import type { Exchange, TenantId } from '../../../plugins/sdk/exchange/exchange.ts';
import { headerValue } from '../../../plugins/sdk/http/http.ts';
import { definePlugin, type Plugin, type RunningGateway } from '../../../plugins/sdk/plugin/plugin.ts';
import type { InternalRequest } from '../../../plugins/sdk/route/route-row.ts';
import { gatewayError } from '../../../schema/errors/errors.ts';
import { readError, startNotes } from '../server/support/start-notes.ts';

const keys = [{ id: 'a', key: 'key-of-team-a', tenant: 'team-a' }];
const headers = { authorization: 'Bearer key-of-team-a', 'x-gw-trace-id': 'trace-1' };

const watching = (seen: Exchange[]): Plugin =>
  definePlugin({
    name: 'watcher',
    apply: (hooks) => hooks.beforeRoute.tapPromise('watcher', async (exchange) => void seen.push(exchange)),
  });

describe('a request that a route dispatches', () => {
  it('runs through a plan as the caller, without its key, under its trace id', async () => {
    const seen: Exchange[] = [];
    await using server = await startNotes({ serviceKeys: keys, plugins: [watching(seen)] });
    const answer = await server.ask('/v1/notes/1/ask', { headers, json: { question: 'Who?' } });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ choices: [{ message: { content: 'Who?' } }] });
    expect(answer.headers.get('x-gw-provider')).toBe('echo');
    expect(answer.headers.get('x-gw-plan')).toMatch(/^mirror@/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-gw-trace-id')).toBe('trace-1');
    const [dispatched] = seen;
    expect([seen.length, dispatched?.principal, dispatched?.traceId]).toEqual([
      1,
      { tenant: 'team-a', keyId: 'a' },
      'trace-1',
    ]);
    expect(JSON.stringify([dispatched?.request.headers, dispatched?.overrides])).not.toContain('key-of-team-a');
  });

  it('returns the usage of its attempts on request', async () => {
    const running: RunningGateway[] = [];
    const starting = definePlugin({ name: 'starting', start: (gateway) => void running.push(gateway) });
    await using _server = await startNotes({ plugins: [starting] });
    const body = { model: 'm', messages: [{ role: 'user', content: 'Who?' }] };
    const ask = async (asksUsage: Pick<InternalRequest, 'asksUsage'>) => {
      const cancellation = { cancelled: false, onCancel: () => () => {} };
      const request = { method: 'POST', path: '/v1/chat/completions', body, ...asksUsage };
      return running[0]?.dispatch({ traceId: 'trace-1', cancellation })(request, { tenant: '' as TenantId });
    };
    const answer = await ask({ asksUsage: true });
    const usages = answer?.usages?.();
    expect(usages).toMatchObject([{ model: 'm', input: { total: expect.any(Number) } }]);
    expect([answer?.usage]).toEqual(usages);
    expect(JSON.parse(headerValue(answer?.headers ?? [], 'x-gw-usage') ?? '')).toEqual(answer?.usage);
    expect(await ask({})).not.toHaveProperty('usage');
    expect(await ask({})).not.toHaveProperty('usages');
  });

  it('streams', async () => {
    await using server = await startNotes({ serviceKeys: keys });
    const answer = await server.ask('/v1/notes/1/ask', { headers, json: { question: 'Who?', stream: true } });
    expect(answer.headers.get('content-type')).toContain('text/event-stream');
    expect(await answer.text()).toContain('data: [DONE]');
  });

  it('has the headers of its caller, and fails if they are invalid', async () => {
    await using server = await startNotes({ serviceKeys: keys });
    const ask = (more: Record<string, string>) =>
      server.ask('/v1/notes/1/ask', { headers: { ...headers, ...more }, json: { question: 'Who?' } });
    expect((await ask({ 'x-gw-config': 'mirror' })).status).toBe(200);
    const missing = await ask({ 'x-gw-config': 'other' });
    expect([missing.status, (await readError(missing)).code]).toEqual([404, 'unknown-config']);
  });

  it('is subject to the limits of the data path', async () => {
    const limits = definePlugin({
      name: 'limits',
      apply: (hooks) =>
        hooks.beforeRoute.tapPromise('limits', async () => {
          throw gatewayError('overloaded', {});
        }),
    });
    await using server = await startNotes({ serviceKeys: keys, plugins: [limits] });
    expect((await server.ask('/v1/notes/1', { headers })).status).toBe(200);
    expect((await server.ask('/v1/notes/1/ask', { headers, json: { question: 'Who?' } })).status).toBe(503);
  });
});
