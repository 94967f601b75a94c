import { describe, expect, it } from 'vitest';
import type { IdempotencyStore } from '../../../plugins/sdk/control-plane/idempotency-store.ts';
import type { TenantId } from '../../../plugins/sdk/exchange/exchange.ts';
import { definePlugin } from '../../../plugins/sdk/plugin/plugin.ts';
import { defineRoute } from '../../../plugins/sdk/route/define-route.ts';
import type { RouteInput } from '../../../plugins/sdk/route/route-row.ts';
import { requestHash } from '../../../runtime/control-routes/request-hash.ts';
import { createRunOnce, jsonRuns } from '../../../runtime/control-routes/run-once.ts';
import { callerHeaderReader } from '../../../runtime/http/headers/read-caller-headers.ts';
import { createMemoryIdempotencyStore } from '../../../runtime/in-memory/memory-idempotency-store.ts';
import { hashValue } from '../../../schema/json/canonical.ts';
import { rawHttp } from '../../support/servers/raw-http.ts';
import { readError, startNotes } from '../server/support/start-notes.ts';

const keys = [
  { id: 'a', key: 'key-of-team-a' },
  { id: 'b', key: 'key-of-team-b' },
];

const headers = (idempotencyKey: string, team = 'a') => ({
  'idempotency-key': idempotencyKey,
  'x-gw-api-key': `key-of-team-${team}`,
});

describe('a POST with an idempotency-key', () => {
  it('runs once for each tenant and key', async () => {
    await using server = await startNotes({ serviceKeys: keys });
    const ask = async (key: string, team?: string) => {
      const answer = await server.ask('/v1/notes', { headers: headers(key, team), json: { text: 'Hello' } });
      const { id } = (await answer.json()) as { readonly id: string };
      return [answer.status, id, answer.headers.get('idempotent-replayed')];
    };
    expect(await ask('k1')).toEqual([201, '1', null]);
    expect(await ask('k1')).toEqual([201, '1', 'true']);
    expect(await ask('k2')).toEqual([201, '2', null]);
    expect(await ask('k1', 'b')).toEqual([201, '3', null]);
    expect(server.plugin.created()).toBe(3);
  });

  it('is the same request however its body is written, and is rejected with another body', async () => {
    await using server = await startNotes({ serviceKeys: keys });
    const ask = async (json: unknown) => (await server.ask('/v1/notes', { headers: headers('k'), json })).status;
    expect(await ask({ text: 'a', colour: 'red' })).toBe(201);
    expect(await ask({ colour: 'red', text: 'a' })).toBe(201);
    expect(await ask({ text: 'a' })).toBe(201);
    expect(await ask({ text: 'b' })).toBe(409);
    expect(server.plugin.created()).toBe(1);
  });

  it('runs once if it is sent twice at the same time', async () => {
    await using server = await startNotes({ serviceKeys: keys });
    const { promise, resolve } = Promise.withResolvers<void>();
    server.plugin.wait = promise;
    const ask = (text: string) => server.ask('/v1/notes', { headers: headers('k'), json: { text } });
    const first = ask('a');
    await expect.poll(() => server.plugin.created()).toBe(1);
    const second = ask('a');
    expect((await ask('b')).status).toBe(409);
    resolve();
    expect([await (await first).json(), server.plugin.created()]).toEqual([await (await second).json(), 1]);
  });

  it('is another request if another account serves it, on a route that is shared with providers', async () => {
    let made = 0;
    const jobs = definePlugin({
      name: 'jobs',
      routes: [
        defineRoute({
          ...{ method: 'POST', path: '/batches', operationId: 'make_job', summary: 'Makes a job.' },
          ...{ scope: null, shared: true, idempotent: true },
          body: { type: 'object', additionalProperties: true },
          replies: { 201: { type: 'object' } },
          handle: () => {
            made += 1;
            return { status: 201, body: { number: made } };
          },
        }),
      ],
    });
    await using server = await startNotes({ serviceKeys: keys, plugins: [jobs] });
    const ask = async (path: string, more: Record<string, string> = {}) => {
      const answer = await server.ask(path, { headers: { ...headers('k'), ...more }, json: { text: 'a' } });
      return answer.ok ? answer.status : (await readError(answer)).message;
    };
    const chosen = [
      { 'x-gw-virtual-key': 'one' },
      { 'x-gw-virtual-key': 'other' },
      { 'x-gw-config': 'one' },
      { 'x-gw-provider': 'openai' },
      { 'x-gw-custom-host': 'https://example.com/v1' },
      { authorization: 'Bearer sk-one' },
      { 'x-api-key': 'sk-other' },
      { 'x-gw-clouda-resource-name': 'one' },
    ];
    const conflict = expect.stringContaining('idempotency-key');
    expect(await ask('/v1/batches')).toBe(201);
    expect(await ask('/v1/batches', { authorization: 'Bearer key-of-team-a' })).toBe(201);
    for (const each of chosen) expect(await ask('/v1/batches', each), JSON.stringify(each)).toEqual(conflict);
    expect(made).toBe(1);
    for (const each of [{}, ...chosen]) expect(await ask('/v1/notes', each), JSON.stringify(each)).toBe(201);
    expect(server.plugin.created()).toBe(1);
  });

  it('is rejected if its key is empty, too long or contains a space', async () => {
    await using server = await startNotes({ serviceKeys: keys });
    for (const key of ['', 'a b', 'x'.repeat(256)]) {
      const answer = await server.ask('/v1/notes', { headers: headers(key), json: { text: 'a' } });
      expect([answer.status, (await readError(answer)).message]).toEqual([
        400,
        expect.stringContaining('idempotency-key'),
      ]);
    }
  });

  it('is rejected if it has two keys, unless they are the same', async () => {
    await using server = await startNotes({ serviceKeys: keys });
    const ask = async (...sent: readonly string[]) => {
      const { statusLine, body } = await rawHttp(server.origin, {
        ...{ method: 'POST', path: '/v1/notes', body: Buffer.from('{"text":"a"}') },
        lines: [
          ...['x-gw-api-key: key-of-team-a', 'content-type: application/json'],
          ...sent.map((key) => `idempotency-key: ${key}`),
        ],
      });
      return `${statusLine} ${body}`;
    };
    expect(await ask('one', 'other')).toMatch(/ 400 .*idempotency-key.* it occurs more than once/s);
    expect(server.plugin.created()).toBe(0);
    expect(await ask('one', 'one')).toMatch(/ 201 /);
  });
});

describe('requestHash', () => {
  const readCallerHeaders = callerHeaderReader(['x-api-key']);
  const hashed = (lines: readonly string[], shared = true) => {
    const request = { method: 'POST', headers: lines, body: { kind: 'none' } } as const;
    const caller = readCallerHeaders(lines);
    const input = { params: {}, query: { a: '1' }, body: { text: 'a' }, received: {} } as unknown as RouteInput;
    return requestHash({ caller, request: { ...request, path: '/batches' } }, { shared }, input);
  };

  it('covers only the input and the workspace if no header names an account', () => {
    const before = hashValue([{}, { a: '1' }, { text: 'a' }, 'w']);
    const lines = ['x-gw-workspace', 'w', 'x-gw-metadata', '{}'];
    expect(hashed(lines)).toBe(before);
    expect(hashed([...lines, 'x-gw-virtual-key', 'v'], false)).toBe(before);
    expect(hashed([...lines, 'x-gw-virtual-key', 'v'])).not.toBe(before);
  });
});

describe('createRunOnce', () => {
  const request = { tenant: 't' as TenantId, route: 'r', key: 'k', bodyHash: 'h' };

  it('reuses a reply for 24 hours', async () => {
    let time = 0;
    let runs = 0;
    const runOnce = createRunOnce({ kept: createMemoryIdempotencyStore(), now: () => time, notKept: () => {} });
    const run = async () => {
      runs += 1;
      return { status: 201, body: runs };
    };
    expect(await runOnce(request, jsonRuns(run))).toEqual({ status: 201, body: 1 });
    time = 24 * 3_600_000 - 1;
    expect(await runOnce(request, jsonRuns(run))).toMatchObject({ body: 1 });
    time += 1;
    expect(await runOnce(request, jsonRuns(run))).toEqual({ status: 201, body: 2 });
  });

  it('runs a failed request again, for those who waited for it too', async () => {
    let runs = 0;
    const runOnce = createRunOnce({ kept: createMemoryIdempotencyStore(), now: () => 0, notKept: () => {} });
    const run = async () => {
      runs += 1;
      if (runs === 1) throw new Error('broken');
      return { status: runs === 2 ? 400 : 200, body: runs };
    };
    const answers = await Promise.allSettled([
      runOnce(request, jsonRuns(run)),
      runOnce(request, jsonRuns(run)),
      runOnce(request, jsonRuns(run)),
      runOnce(request, jsonRuns(run)),
    ]);
    expect(answers.map((each) => (each.status === 'fulfilled' ? each.value : 'broken'))).toEqual([
      'broken',
      { status: 400, body: 2 },
      { status: 200, body: 3 },
      { status: 200, body: 3, headers: ['idempotent-replayed', 'true'] },
    ]);
  });

  it('answers even if its reply cannot be stored, and reports that', async () => {
    const errors: unknown[] = [];
    const kept: IdempotencyStore = {
      claim: async () => ({ kind: 'yours' }),
      renew: async () => {},
      keep: () => Promise.reject(new Error('the store is unavailable')),
      release: async () => {},
    };
    const runOnce = createRunOnce({ kept, now: () => 0, notKept: (error) => errors.push(error) });
    expect(
      await runOnce(
        request,
        jsonRuns(async () => ({ status: 201, body: 1 })),
      ),
    ).toEqual({ status: 201, body: 1 });
    expect(String(errors)).toBe('Error: the store is unavailable');
  });
});
