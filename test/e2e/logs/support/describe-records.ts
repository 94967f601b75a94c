import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type GatewayProcess, startGateway } from '../../../support/gateways/gateway-process.ts';
import { adminKey, control } from '../../../support/gateways/stored-gateway.ts';
import { type PostgresServer, postgresFolder, startPostgres } from '../../../support/servers/postgres-server.ts';
import { startUpstream, type TestUpstream, type UpstreamHandler } from '../../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../../support/vendors/openai-wire.ts';
import { type Logged, read, readRecord } from './logged.ts';

const masterKey = Buffer.alloc(32, 1).toString('base64');
const folder = postgresFolder();
const secret = 'sk-a-secret-of-the-provider-1234567890';

const chunk = (text: string): object => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'gpt-test',
  choices: [{ index: 0, delta: { role: 'assistant', content: text }, finish_reason: null }],
});

const good: UpstreamHandler = (call) => call.json(openaiAnswer({ text: 'Hello!' }));

interface LogOf {
  readonly name: string;
  readonly isPostgres: boolean;
}

/** Describes what the log records for requests of every kind, over real sockets. */
export const describeRecords = ({ name, isPostgres }: LogOf): void => {
  const isThere = !isPostgres || folder !== undefined;
  describe(`the log in ${name}`, () => {
    let gateway: GatewayProcess;
    let postgres: PostgresServer | undefined;
    let first: TestUpstream;
    let second: TestUpstream;

    beforeAll(async () => {
      if (!isThere) return;
      if (isPostgres && folder !== undefined) postgres = await startPostgres(folder);
      [first, second] = await Promise.all([startUpstream(good), startUpstream(good)]);
      gateway = await startGateway({
        files: {
          'gateway.json': {
            store: { url: postgres?.url.replace('gateway@', '') ?? 'gateway.db' },
            log: { bodies: true, redact: ['/messages/*/content'], headers: ['user-agent', 'x-team', 'authorization'] },
            pass_through: 'allow',
          },
        },
        args: postgres === undefined ? [] : ['--store', postgres.url],
        env: { GW_ADMIN_KEY: adminKey, GW_MASTER_KEY: masterKey },
      });
      for (const [slug, upstream] of [
        ['first', first],
        ['second', second],
      ] as const)
        await control(gateway, 'POST /providers', {
          body: {
            ...{ name: slug, slug, provider: 'openai', credential: { api_key: `${secret}-${slug}` } },
            settings: { custom_host: `${upstream.origin}/v1` },
          },
        });
    });
    afterAll(async () => {
      await gateway?.stop();
      await Promise.all([first?.close(), second?.close(), postgres?.stop()]);
    });

    interface Sent {
      readonly config: object;
      readonly body?: object;
      readonly path?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly signal?: AbortSignal;
    }

    const send = async ({ config, body = {}, path = '/chat/completions', headers = {}, signal }: Sent) => {
      const trace = randomUUID();
      const answer = fetch(`${gateway.baseUrl}${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-gw-api-key': adminKey,
          'x-gw-config': JSON.stringify(config),
          'x-gw-trace-id': trace,
          'x-gw-metadata': '{"team":"red","tries":2}',
          ...headers,
        },
        body: JSON.stringify({ model: 'gpt-test', messages: [{ role: 'user', content: 'A private text.' }], ...body }),
        ...(signal === undefined ? {} : { signal }),
      });
      return { trace, answer };
    };

    const logged = async (sent: Sent): Promise<Logged> => {
      const { trace, answer } = await send(sent);
      await answer.then((each) => each.text()).catch(() => '');
      return readRecord(gateway, trace);
    };

    const handle = (upstream: TestUpstream, handler: UpstreamHandler): void => {
      upstream.handle(handler);
      onTestFinished(() => upstream.handle(good));
    };

    it.runIf(isThere)('records a successful request with its caller, content, target, cost and timing', async () => {
      const record = await logged({
        config: { provider: '@first' },
        headers: { 'user-agent': 'tester/1', 'x-team': 'red', 'x-gw-sensitive-headers': 'X-Team' },
      });
      expect(record).toMatchObject({
        ...{ object: 'log', method: 'POST', path: '/v1/chat/completions', operation: 'converse', source: 'gateway' },
        ...{ config: 'header', provider: 'openai', slug: 'first', leaf: '', status: 200, cause: null, end: 'complete' },
        ...{ requested_model: 'gpt-test', is_success: true, attempt_count: 1, retry_count: 0, fell_back: false },
        ...{ balanced: false, cache_status: 'DISABLED', headers: { 'user-agent': 'tester/1', 'x-team': '[masked]' } },
        metadata: { team: 'red', tries: 2 },
        attempts: [{ attempt: 1, status: 200, origin: 'upstream', slug: 'first', usage: { kind: 'reported' } }],
        request: { body: { messages: [{ role: 'user', content: '[redacted]' }] } },
        response: { body: { choices: [{ message: { content: 'Hello!' } }] } },
      });
      expect(record.problem).toBe(null);
      expect(record.id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7/);
      expect(record.key_id).toMatch(/^[\w-]+$/);
      expect(record.input_tokens + record.output_tokens).toBe(record.total_tokens);
      expect(record.total_tokens).toBeGreaterThan(0);
      expect(record.attempts[0].sent_ms).toBeLessThanOrEqual(record.attempts[0].first_byte_ms);
      expect(record.attempts[0].first_byte_ms).toBeLessThanOrEqual(record.attempts[0].last_byte_ms);
      expect(record.trail.map(({ kind }: Logged) => kind)).toEqual(['attempted', 'settled']);
    });

    it.runIf(isThere)("records a retry, a fallback, and the provider's message without its credential", async () => {
      let calls = 0;
      handle(first, (call) => {
        calls += 1;
        call.json({ error: { message: `The key ${secret}-first has no quota.` } }, { status: calls < 3 ? 429 : 200 });
      });
      const retried = {
        strategy: { mode: 'fallback' },
        targets: [{ provider: '@first', retry: { attempts: 1, on_status_codes: [429] } }, { provider: '@second' }],
      };
      expect(await logged({ config: retried })).toMatchObject({
        ...{ status: 200, slug: 'second', attempt_count: 3, retry_count: 1, fell_back: true, leaf: '/targets/1' },
        attempts: [
          { status: 429, attempt: 1, cause: 'upstream-429' },
          { status: 429, attempt: 2, cause: 'upstream-429' },
          { status: 200, slug: 'second' },
        ],
      });
      calls = 0;
      const record = await logged({ config: { provider: '@first' } });
      expect(record).toMatchObject({
        status: 429,
        is_success: false,
        error: expect.stringMatching(/^The key \*+ has no/),
      });
      const problem = { target: 'openai', path: 'config', attempt: 1, cause: 'upstream-429' };
      expect(record.problem).toEqual({ ...problem, hint: expect.stringContaining('retry-after') });
      const { body } = await read(gateway, `/logs?trace_id=${record.trace_id}`);
      expect(body.data).toMatchObject([{ problem: record.problem }]);
    });

    it.runIf(isThere)('records a load balance and an answer from the cache', async () => {
      const balanced = {
        strategy: { mode: 'loadbalance' },
        targets: [{ provider: '@first' }, { provider: '@second' }],
      };
      expect(await logged({ config: balanced })).toMatchObject({ balanced: true, fell_back: false });
      const cached = { provider: '@first', cache: { mode: 'simple' } };
      const ask = () => logged({ config: cached, body: { messages: [{ role: 'user', content: 'Cached?' }] } });
      expect(await ask()).toMatchObject({ cache_status: 'MISS', attempt_count: 1 });
      expect(await ask()).toMatchObject({
        ...{ cache_status: 'HIT', attempt_count: 0, cost_nano_usd: 0, total_tokens: 0, slug: 'first' },
      });
    });

    it.runIf(isThere)('records the check that denied a request, without its text', async () => {
      const config = {
        provider: '@first',
        input_guardrails: [
          { 'default.contains': { words: ['private'], operator: 'none' }, deny: true, id: 'no-words' },
        ],
      };
      const record = await logged({ config });
      expect(record).toMatchObject({
        ...{ status: 446, cause: 'checks-failed', is_success: false, attempt_count: 0 },
        checks: [{ id: 'no-words', phase: 'input', verdict: false, deny: true, checks: [{ verdict: false }] }],
      });
      expect(JSON.stringify(record.checks)).not.toContain('private');
    });

    it.runIf(isThere)('records errors without any attempt', async () => {
      expect(await logged({ config: { provider: '@nobody' } })).toMatchObject({
        ...{ status: 400, cause: 'invalid-config', plan: null, provider: null, attempts: [] },
      });
    });

    it.runIf(isThere)('records a stream that was cut, and one whose client disconnected', async () => {
      handle(first, (call) => {
        const stream = call.sse();
        stream.frame(chunk('Hel'));
        stream.cut();
      });
      expect(await logged({ config: { provider: '@first' }, body: { stream: true } })).toMatchObject({
        ...{ status: 200, end: 'cut', is_success: false, stream: true },
        trail: expect.arrayContaining([expect.objectContaining({ kind: 'streamFailed' })]),
      });
      handle(first, (call) => call.sse().frame(chunk('Hel')));
      const leaving = new AbortController();
      const { trace, answer } = await send({
        ...{ config: { provider: '@first' }, body: { stream: true }, signal: leaving.signal },
      });
      const reader = (await answer).body?.getReader();
      await reader?.read();
      leaving.abort();
      await reader?.cancel().catch(() => {});
      expect(await readRecord(gateway, trace)).toMatchObject({ end: 'left', is_success: false });
    });

    it.runIf(isThere)('records a whole stream with the body that its client received', async () => {
      handle(first, (call) => {
        const stream = call.sse();
        stream.frame(chunk('Hel'));
        stream.frame(chunk('lo'));
        stream.done();
      });
      const record = await logged({ config: { provider: '@first' }, body: { stream: true } });
      expect(record).toMatchObject({ status: 200, end: 'complete', is_success: true, requested_model: 'gpt-test' });
      expect(record.response.body).toContain('"content":"Hel"');
    });

    it.runIf(isThere)(
      'records a request that is passed through, and no bodies if the request turns them off',
      async () => {
        const path = '/assistants';
        const passed = await logged({ config: { provider: '@first' }, path, body: { input: 'x' } });
        expect(passed).toMatchObject({ operation: 'opaque', path: '/v1/assistants', status: 200 });
        const silent = await logged({ config: { provider: '@first' }, headers: { 'x-gw-debug': 'false' } });
        expect(silent).not.toHaveProperty('request');
        expect(silent).not.toHaveProperty('response');
      },
    );

    it.runIf(isThere)('replaces characters that a database cannot store, wherever a caller writes them', async () => {
      const dirty = 'a\0b\ud83dc';
      const clean = 'a\ufffdb\ufffdc';
      const metadata = JSON.stringify({ [dirty]: dirty });
      const record = await logged({
        ...{ config: { provider: '@first' }, headers: { 'x-gw-metadata': metadata } },
        body: { model: dirty, user: dirty },
      });
      expect(record).toMatchObject({ requested_model: clean, metadata: { [clean]: clean } });
      await logged({ config: { provider: '@nobody' }, body: { model: dirty }, headers: { 'x-gw-metadata': metadata } });
      // U+0000 is rejected if a caller writes a record.
      const half = 'b\ud83dc';
      const whole = 'b\ufffdc';
      const trace_id = randomUUID();
      await control(gateway, 'POST /logs', {
        body: {
          request: { url: '/x', body: { model: half } },
          response: { body: { model: half } },
          metadata: { trace_id, [half]: half },
        },
      });
      await control(gateway, 'POST /feedback', { body: { trace_id, value: 1, metadata: { [half]: half } } });
      expect(await readRecord(gateway, trace_id)).toMatchObject({
        model: whole,
        feedback: [{ metadata: { [whole]: whole } }],
      });
      for (const path of [
        '/logs',
        '/usage?group_by=model',
        '/audit-logs',
        '/analytics/graphs/requests?time_min=0&time_max=1',
      ])
        expect([path, (await read(gateway, path)).status]).toEqual([path, 200]);
    });

    it.runIf(isThere)(
      'records feedback of guardrails, also of background checks, and keeps its values within the bounds',
      async () => {
        const contains = { words: ['Hello'], operator: 'any' };
        const record = await logged({
          config: {
            provider: '@first',
            after_request_hooks: [
              {
                id: 'polite',
                async: true,
                checks: [{ id: 'default.contains', parameters: contains }],
                on_success: { feedback: { value: 2.6, weight: 0.5, metadata: { from: 'polite' } } },
              },
            ],
            output_guardrails: [
              { 'default.contains': contains, on_success: { feedback: { value: 50, weight: 7 } } },
              { 'default.contains': contains, on_fail: { feedback: { value: -1 } } },
            ],
          },
        });
        const feedback = async (): Promise<readonly Logged[]> =>
          (await read(gateway, `/logs/${record.id}`)).body.feedback.toSorted(
            (a: Logged, b: Logged) => a.value - b.value,
          );
        await expect.poll(async () => (await feedback()).length).toBe(2);
        expect(await feedback()).toMatchObject([
          { value: 3, weight: 0.5, metadata: { from: 'polite', successfulChecks: 'default.contains' } },
          { value: 10, weight: 1, metadata: { successfulChecks: 'default.contains', failedChecks: '' } },
        ]);
      },
    );

    it.runIf(isThere).each([false, true])(
      'records what background checks found after the answer was sent (a stream: %j)',
      async (stream) => {
        const gone = Promise.withResolvers<void>();
        const judge = await startUpstream(async (call) => {
          await gone.promise;
          call.json({ verdict: false });
        });
        onTestFinished(() => judge.close());
        if (stream)
          handle(first, (call) => {
            const events = call.sse();
            events.frame(chunk('Hello!'));
            events.frame({ ...chunk(''), choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
            events.done();
          });
        const asked = { async: true, 'default.webhook': { webhookURL: `${judge.origin}/judge` } };
        const config = {
          provider: '@first',
          input_guardrails: [{ id: 'of-requests', ...asked }],
          output_guardrails: [
            { id: 'of-answers', ...asked },
            { id: 'at-once', 'default.notNull': {} },
          ],
        };
        const { trace, answer } = await send({ config, body: { stream } });
        const text = await (await answer).text();
        expect(text).not.toContain('of-answers');
        gone.resolve();
        const { checks } = await readRecord(gateway, trace);
        expect(checks.toSorted((a: Logged, b: Logged) => (a.id < b.id ? -1 : 1))).toMatchObject([
          { id: 'at-once', phase: 'output', verdict: true },
          { id: 'of-answers', phase: 'output', verdict: false, checks: [{ id: 'default.webhook', verdict: false }] },
          { id: 'of-requests', phase: 'input', verdict: false, deny: false },
        ]);
      },
    );

    it.runIf(isThere)('accepts times with fractions of a millisecond', async () => {
      const range = (path: string): readonly string[] =>
        ['time_min=0&time_max=1e-7', 'time_min=0.00001&time_max=1.0000001'].map((times) => `${path}?${times}`);
      const paths = ['summary', 'graphs/requests', 'graphs/latency', 'graphs/rescued'].map(
        (name) => `/analytics/${name}`,
      );
      for (const path of [...paths, '/logs'].flatMap(range))
        expect([path, (await read(gateway, path)).status]).toEqual([path, 200]);
    });

    it.runIf(isThere)('hides records from other tenants with a 404', async () => {
      const { id, trace_id: trace } = await logged({ config: { provider: '@first' } });
      await control(gateway, 'POST /workspaces', { body: { name: 'Other', slug: 'other' } });
      const as = { workspace: 'other' };
      expect((await read(gateway, `/logs/${id}`, as)).status).toBe(404);
      expect((await read(gateway, `/logs/${trace}`, as)).status).toBe(404);
      expect((await read(gateway, `/logs/${trace}`)).body.id).toBe(id);
      expect((await read(gateway, '/logs', as)).body.data).toEqual([]);
      expect((await read(gateway, `/logs/${id}`)).status).toBe(200);
    });
  });
};
