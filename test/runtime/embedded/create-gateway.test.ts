import OpenAI from 'openai';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { builtinPlugins, createGateway, type Gateway, LinkError, PlanLoadError, PluginError } from '../../../index.ts';
import { definePlugin } from '../../../plugins/sdk/plugin/plugin.ts';
import { compileConfig } from '../../support/plans/compile-config.ts';
import { startUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer, openaiStream } from '../../support/vendors/openai-wire.ts';

const gateways: Gateway[] = [];
const made = (gateway: Gateway): Gateway => {
  gateways.push(gateway);
  return gateway;
};
afterEach(async () => {
  await Promise.all(gateways.splice(0).map((gateway) => gateway.close()));
});

const echo = compileConfig('{ "name": "mirror", "provider": "echo" }');
const keyed = compileConfig(
  `{ "strategy": { "mode": "fallback" }, "targets": [
    { "provider": "openai", "api_key": "\${env:FIRST_KEY}" },
    { "provider": "anthropic", "api_key": "\${env:SECOND_KEY}" }
  ] }`,
);

const question = { model: 'echo', messages: [{ role: 'user' as const, content: 'Hello, gateway!' }] };

const ask = (headers: Readonly<Record<string, string>> = {}): Request =>
  new Request('http://gateway.internal/v1/chat/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(question),
  });

describe('createGateway', () => {
  it('answers a client in the same program without a socket', async () => {
    const gateway = made(createGateway({ plan: echo }));
    const client = new OpenAI({
      apiKey: 'none',
      baseURL: 'http://gateway.internal/v1',
      fetch: (url, init) => gateway.fetch(new Request(url, init as RequestInit)),
    });
    const answer = await client.chat.completions.create(question);
    expect(answer.choices[0]?.message.content).toBe('Hello, gateway!');
  });

  it('answers over HTTP if it listens', async () => {
    const gateway = made(createGateway({ plan: echo }));
    const { baseUrl } = await gateway.listen();
    const client = new OpenAI({ apiKey: 'none', baseURL: baseUrl, maxRetries: 0 });
    const stream = await client.chat.completions.create({ ...question, stream: true });
    let text = '';
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
    expect(text).toBe('Hello, gateway!');
  });

  it('serves its plan by name and by default, and names it in a header', async () => {
    const gateway = made(createGateway({ plan: echo }));
    const named = await gateway.fetch(ask({ 'x-gw-config': 'mirror' }));
    const unnamed = await gateway.fetch(ask());
    expect(named.headers.get('x-gw-plan')).toMatch(/^mirror@/);
    expect(unnamed.headers.get('x-gw-plan')).toBe(named.headers.get('x-gw-plan'));
  });

  it('serves a plan whose name no header can contain', async () => {
    const gateway = made(createGateway({ plan: compileConfig('{ "name": "My mirror", "provider": "echo" }') }));
    for (const headers of [{}, { 'x-gw-config': 'My-mirror' }])
      expect((await gateway.fetch(ask(headers))).status, JSON.stringify(headers)).toBe(200);
  });

  it('logs the cause of a 500 to standard error, under its trace id', async () => {
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const broken = definePlugin({
      name: 'broken',
      apply: ({ request }) =>
        request.tap('broken', () => {
          throw new Error('No such table.');
        }),
    });
    const gateway = made(createGateway({ plan: echo, plugins: [broken] }));
    const answer = await gateway.fetch(ask({ 'x-gw-trace-id': 'trace-1' }));
    const said = written.mock.calls.map(([text]) => String(text)).join('');
    written.mockRestore();
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain('No such table.');
    expect(said).toMatch(/^gw: The request trace-1 failed\. Error: No such table\./);
  });

  it('accepts no configs from its callers', async () => {
    const gateway = made(createGateway({ plan: echo }));
    const answer = await gateway.fetch(ask({ 'x-gw-config': '{"provider":"echo"}' }));
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('Send x-gw-config: mirror, or omit the header.');
  });

  it('names all missing secrets at once', () => {
    const make = (): Gateway => createGateway({ plan: keyed, secrets: {} });
    expect(make).toThrow(LinkError);
    expect(make).toThrow(/\$\{env:FIRST_KEY\}.*\$\{env:SECOND_KEY\}/);
  });

  it('accepts a whole environment as its secrets', () => {
    const environment: Record<string, string | undefined> = { FIRST_KEY: 'a', SECOND_KEY: 'b', OTHER: 'c' };
    expect(() => made(createGateway({ plan: keyed, secrets: environment }))).not.toThrow();
  });

  it('rejects a plan that was changed after it was compiled', () => {
    expect(() => createGateway({ plan: { ...echo, readsParams: true } })).toThrow(PlanLoadError);
  });

  it('rejects plugins whose dialects share a path', () => {
    const [routed] = builtinPlugins.flatMap(({ dialects = [] }) => dialects);
    if (routed === undefined) throw new Error('There is no dialect.');
    const plugin = definePlugin({ name: 'twice', dialects: [{ ...routed, id: 'twice' }] });
    expect(() => createGateway({ plan: echo, plugins: [plugin] })).toThrow(PluginError);
  });

  it('requires its service keys', async () => {
    const gateway = made(createGateway({ plan: echo, serviceKeys: [{ id: 'team', key: 'open-sesame' }] }));
    expect((await gateway.fetch(ask())).status).toBe(401);
    expect((await gateway.fetch(ask({ 'x-gw-api-key': 'open-sesame' }))).status).toBe(200);
  });

  it.each(['a whole answer', 'a stream'])(
    'lets %s of a request without a socket finish when it is closed',
    async (kind) => {
      const upstream = await startUpstream();
      onTestFinished(() => upstream.close());
      const go = Promise.withResolvers<void>();
      upstream.handle(async (call) => {
        if (kind === 'a stream') {
          const [first = '', ...others] = openaiStream({ text: 'It rains in Graz.' });
          const stream = call.sse();
          stream.send(first);
          await go.promise;
          for (const frame of others) stream.send(frame);
          stream.end();
        } else {
          await go.promise;
          call.json(openaiAnswer({ text: 'It rains in Graz.' }));
        }
      });
      const plan = compileConfig(
        JSON.stringify({ provider: 'openai', api_key: '${env:KEY}', custom_host: `${upstream.origin}/v1` }),
      );
      const gateway = createGateway({ plan, secrets: { KEY: 'a-key' }, trustedHosts: ['127.0.0.1'] });
      const answered = gateway.fetch(
        new Request('http://gateway.internal/v1/chat/completions', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ ...question, stream: kind === 'a stream' }),
        }),
      );
      await expect.poll(() => upstream.requests.length).toBe(1);
      const closed = gateway.close();
      go.resolve();
      const answer = await answered;
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('Graz.')]);
      await closed;
      await expect(gateway.fetch(ask())).rejects.toThrow('The gateway is closed');
    },
  );

  it('aborts what is not finished when its drain time is over', async () => {
    const upstream = await startUpstream(async (call) => {
      await call.gone;
    });
    onTestFinished(() => upstream.close());
    const plan = compileConfig(
      JSON.stringify({ provider: 'openai', api_key: '${env:KEY}', custom_host: `${upstream.origin}/v1` }),
    );
    const gateway = createGateway({ plan, secrets: { KEY: 'a-key' }, trustedHosts: ['127.0.0.1'] });
    const answered = gateway.fetch(ask());
    await expect.poll(() => upstream.requests.length).toBe(1);
    await gateway.close({ drainMs: 1 });
    expect((await answered).status).toBe(502);
  });

  it('does not listen after it has been closed, or if it is closed meanwhile', async () => {
    const gateway = createGateway({ plan: echo });
    const listening = gateway.listen();
    await Promise.all([expect(listening).rejects.toThrow('The gateway is closed'), gateway.close()]);
    await expect(gateway.listen()).rejects.toThrow('The gateway is closed');
  });

  it('rejects trusted hosts that cannot be hosts', () => {
    expect(() => createGateway({ plan: echo, trustedHosts: ['localhost', 'http://127.0.0.1:9'] })).toThrow(
      '"http://127.0.0.1:9" of the trusted hosts is no host, so that it allows none. Write it without a scheme',
    );
  });

  it('fails a stream with the reason of its signal if that aborts it', async () => {
    const upstream = await startUpstream(async (call) => {
      const stream = call.sse();
      for (const frame of openaiStream({ text: 'It rains in Graz.' }).slice(0, 2)) stream.send(frame);
      await call.gone;
    });
    onTestFinished(() => upstream.close());
    const target = { provider: 'openai', api_key: '${env:KEY}', custom_host: `${upstream.origin}/v1` };
    const plan = compileConfig(JSON.stringify(target));
    const gateway = made(createGateway({ plan, secrets: { KEY: 'a-key' }, trustedHosts: ['127.0.0.1'] }));
    const left = new AbortController();
    const asked = new Request(ask(), { body: JSON.stringify({ ...question, stream: true }), signal: left.signal });
    const answer = await gateway.fetch(asked);
    const reading = answer.text();
    left.abort();
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('listens for other machines only with service keys, or if it is explicitly open', async () => {
    const gateway = made(createGateway({ plan: echo }));
    await expect(gateway.listen({ host: '0.0.0.0' })).rejects.toThrow('Set serviceKeys, or allow all callers');
  });

  it('rejects requests from another origin on loopback without service keys', async () => {
    const gateway = made(createGateway({ plan: echo }));
    const { baseUrl } = await gateway.listen();
    const answer = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { origin: 'https://elsewhere.example.com', 'content-type': 'application/json' },
      body: JSON.stringify(question),
    });
    expect(answer.status).toBe(403);
  });
});
