import { copyFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type ErrorCode, errorTable } from '../../../schema/errors/errors.ts';
import { type GatewayProcess, type GatewayStart, startGateway } from '../../support/gateways/gateway-process.ts';
import {
  adminKey,
  callControl,
  chat,
  control,
  makeKey,
  serveStore,
  sharedStore,
} from '../../support/gateways/stored-gateway.ts';
import { patience } from '../../support/run/patience.ts';
import { hasOpenssl, makeAuthority, makeWeak } from '../../support/servers/certificates.ts';
import { postgresFolder, startPostgres } from '../../support/servers/postgres-server.ts';
import { startProxy } from '../../support/servers/proxy-server.ts';
import { hasRedis, startRedis } from '../../support/servers/redis-server.ts';
import { startUpstream, type TestUpstream, type UpstreamHandler } from '../../support/servers/upstream-server.ts';
import { anthropicStream } from '../../support/vendors/anthropic-wire.ts';
import { openaiStream } from '../../support/vendors/openai-wire.ts';

interface Answered {
  readonly status: number;
  readonly text: string;
}

const serve = async (options: GatewayStart): Promise<GatewayProcess> => {
  const gateway = await startGateway(options);
  onTestFinished(() => gateway.stop());
  return gateway;
};

const question = { model: 'm', messages: [{ role: 'user', content: 'Hello?' }] };

const ask = async (
  { baseUrl }: Pick<GatewayProcess, 'baseUrl'>,
  headers: Readonly<Record<string, string>>,
  more: object = {},
): Promise<Answered> => {
  const answer = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ ...question, ...more }),
  });
  return { status: answer.status, text: await answer.text() };
};

/** Checks that an answer is this error, and that its message has these parts: where the problem is, and what to do. */
const expectError = ({ status, text: body }: Answered, code: ErrorCode, ...parts: readonly string[]): void => {
  const { error } = JSON.parse(body);
  expect([status, error]).toEqual([errorTable[code].status, expect.objectContaining({ code })]);
  for (const part of parts) expect(error.message).toContain(part);
};

describe('an error of a target that cannot be called', () => {
  it('is host-not-allowed if settings of a request form a host that is reached through a proxy', async () => {
    const proxy = await startProxy({});
    const gateway = await serve({ files: { 'gateway.json': { proxy: proxy.url } } });
    const answered = await ask(gateway, {
      ...{ 'x-gw-provider': 'azure-openai', authorization: 'Bearer own' },
      ...{ 'x-gw-clouda-resource-name': 'anybody', 'x-gw-clouda-deployment-id': 'd' },
    });
    expectError(answered, 'host-not-allowed', 'anybody.openai.azure.com', 'through a proxy', 'trusted_hosts');
    expect(proxy.asked).toEqual([]);
  });

  it.skipIf(!hasOpenssl)('is unusable-tls if OpenSSL rejects the key as too short', async () => {
    const [own, weak] = [makeAuthority().issue(), makeWeak()];
    // A gateway with such a certificate in its file does not start.
    const tls = { cert: `\${file:${own.certFile}}`, key: `\${file:${own.keyFile}}` };
    const corp = { provider: 'ollama', settings: { custom_host: 'https://localhost:9/v1' }, tls };
    const gateway = await serve({ files: { 'gateway.json': { providers: { corp }, trusted_hosts: ['localhost'] } } });
    copyFileSync(weak.certFile, own.certFile);
    copyFileSync(weak.keyFile, own.keyFile);
    for (const file of [own.certFile, own.keyFile])
      await expect.poll(() => gateway.printed(), patience).toContain(`The secret in ${file} has changed`);
    const answered = await ask(gateway, { 'x-gw-provider': '@corp' });
    expectError(answered, 'unusable-tls', 'localhost:9', 'too weak for TLS', 'gw doctor');
  });

  it('is invalid-settings if a provider needs a setting that only a saved provider can have', async () => {
    const plugin = `export default { name: 'own', api: 1, providers: [{
      id: 'own', documentation: 'https://own.example', baseUrl: 'https://own.example', credential: 'none',
      ownSettings: { type: 'object', required: ['hall'], properties: { hall: { type: 'string' } } },
      speaks: { chat: '/chat' }, headers: () => [],
    }] };`;
    const gateway = await serve({
      files: { 'own.mjs': plugin, 'gateway.json': { plugins: [{ package: './own.mjs' }] } },
    });
    expectError(await ask(gateway, { 'x-gw-provider': 'own' }), 'invalid-settings', 'own', '"hall"', '@provider');
  });
});

describe('an error of a gateway with a store', () => {
  const served = sharedStore(() => ({
    files: {
      'gateway.json': { configs: 'configs', store: { url: 'gateway.db', files: { folder: 'kept' } } },
      'configs/own.json': { provider: 'echo' },
    },
  }));

  it('is missing-key-config if the file with the config of a key is gone', async () => {
    const gateway = served();
    const { key = '' } = await control(gateway, 'POST /api-keys/workspace/service', {
      body: {
        ...{ name: 'k', scopes: ['completions.write'], workspace_id: 'default' },
        defaults: { config_id: 'own' },
      },
    });
    expect((await ask(gateway, { 'x-gw-api-key': key })).status).toBe(200);
    unlinkSync(path.join(gateway.folder, 'configs/own.json'));
    await vi.waitFor(async () => {
      expectError(await ask(gateway, { 'x-gw-api-key': key }), 'missing-key-config', '"own"', 'another one');
    }, patience);
  });

  it('is files-unavailable if the folder of files is gone', async () => {
    const gateway = served();
    const form = new FormData();
    form.append('purpose', 'batch');
    form.append('file', new Blob(['{}']), 'lines.jsonl');
    rmSync(path.join(gateway.folder, 'kept'), { recursive: true, force: true });
    writeFileSync(path.join(gateway.folder, 'kept'), 'no folder');
    const answer = await fetch(`${gateway.baseUrl}/files`, {
      method: 'POST',
      headers: { 'x-gw-api-key': adminKey, 'x-gw-provider': 'gw' },
      body: form,
    });
    expect(answer.headers.get('retry-after')).toBe('5');
    expectError(
      { status: answer.status, text: await answer.text() },
      'files-unavailable',
      'stores files',
      'retry-after',
    );
  });

  it.skipIf(postgresFolder() === undefined)('is secrets-unavailable without a master key', async () => {
    const server = await startPostgres(postgresFolder() ?? '');
    onTestFinished(() => server.stop());
    const gateway = await serveStore(server.url, { unset: ['GW_MASTER_KEY'] });
    const body = { name: 'p', provider: 'openai', credential: { api_key: 'sk-secret' } };
    const answered = await callControl(gateway, 'POST /providers', { body });
    expectError(answered, 'secrets-unavailable', 'credential', 'GW_MASTER_KEY');
    expect(answered.text).not.toContain('sk-secret');
  });

  it('is no-such-file-operation at a provider that returns no files', async () => {
    const gateway = served();
    await control(gateway, 'POST /providers', {
      body: { name: 'c', slug: 'cohere', provider: 'cohere', credential: { api_key: 'sk' } },
    });
    const answer = await fetch(`${gateway.baseUrl}/files/any/content`, {
      headers: { 'x-gw-api-key': adminKey, 'x-gw-virtual-key': 'cohere' },
    });
    expectError(
      { status: answer.status, text: await answer.text() },
      'no-such-file-operation',
      'The provider cohere cannot return the contents of files.',
      'x-gw-provider: gw',
    );
  });

  it.skipIf(!hasRedis)('is limits-unavailable if the Redis of the counters is down', async () => {
    const redis = await startRedis();
    onTestFinished(() => redis.stop());
    const gateway = await serveStore('gateway.db', {
      files: { 'gateway.json': { store: { url: 'gateway.db', limits: { url: redis.url } } } },
    });
    const { key } = await makeKey(gateway, 'k');
    await control(gateway, 'POST /policies/rate-limits', {
      body: {
        ...{
          name: 'Careful',
          type: 'requests',
          unit: 'rpm',
          value: 100,
          if_unknown: 'refuse',
          workspace_id: 'default',
        },
        ...{ conditions: [{ key: 'workspace_id', value: '*' }], group_by: [{ key: 'workspace_id' }] },
      },
    });
    await vi.waitFor(async () => expect((await chat(gateway, { key })).status).toBe(200), patience);
    await redis.kill();
    await vi.waitFor(async () => {
      const answer = await chat(gateway, { key });
      expect(answer.headers.get('retry-after')).toBe('1');
      const answered = { status: answer.status, text: await answer.text() };
      expectError(answered, 'limits-unavailable', '"Careful"', 'retry-after');
    }, patience);
  });
});

describe('an error of a stream', () => {
  const beginning = 'Once upon a time ';
  let first: TestUpstream;
  let second: TestUpstream;

  /** Sends the beginning of an answer and breaks off. */
  const breaking: UpstreamHandler = (call) => {
    const stream = call.sse();
    const events = anthropicStream({ text: beginning });
    const last = events.findLastIndex((event) => event.includes('time '));
    for (const event of events.slice(0, last + 1)) stream.send(event);
    stream.cut();
  };

  beforeAll(async () => {
    [first, second] = await Promise.all([
      startUpstream(breaking),
      startUpstream((call) => {
        const stream = call.sse();
        for (const event of openaiStream({ text: 'there was a bridge.' })) stream.send(event);
        stream.end();
      }),
    ]);
  });
  afterAll(() => Promise.all([first.close(), second.close()]));

  const target = (provider: string, { origin }: TestUpstream, more: object = {}): object => ({
    ...{ provider, api_key: 'k', custom_host: `${origin}/v1`, ...more },
  });
  const streamed = (gateway: GatewayProcess, targets: readonly object[], more: object = {}): Promise<Answered> => {
    const config = JSON.stringify({ strategy: { mode: 'fallback', continue: true }, targets });
    return ask(gateway, { 'x-gw-config': config, 'x-gw-trace-id': 'traced' }, { stream: true, ...more });
  };
  const reason = (gateway: GatewayProcess): unknown =>
    gateway
      .records()
      .filter(({ trace }) => trace === 'traced')
      .flatMap(({ trail }) => (Array.isArray(trail) ? trail : []))
      .find(({ kind }) => kind === 'notContinued')?.reason;

  const denying = { output_guardrails: [{ 'default.contains': { words: ['dragon'], operator: 'none' }, deny: true }] };

  it('is never cannot-continue: the next target continues, or else the stream ends with its own error', async () => {
    const gateway = await serve({ env: { GW_LOG: 'requests' } });
    const held = target('cerebras', second, denying);
    const elsewhere = await streamed(gateway, [target('anthropic', first), held, target('cerebras', second)]);
    expect(elsewhere.text).toMatch(/bridge\.[\s\S]*\[DONE\]/);
    const broken = await streamed(gateway, [target('anthropic', first), held]);
    expect(broken.text).toContain('"code":"stream-cut"');
    expect(broken.text).not.toContain('cannot-continue');
    await vi.waitFor(() => expect(reason(gateway)).toBe('no-branch'), patience);
  });

  it('is never no-output-left: the stream ends as if it had reached its limit', async () => {
    const gateway = await serve({ env: { GW_LOG: 'requests' } });
    const broken = await streamed(gateway, [target('anthropic', first), target('cerebras', second)], { max_tokens: 1 });
    expect(broken.text).toMatch(/"finish_reason":"length"[\s\S]*\[DONE\]/);
    expect(broken.text).not.toContain('"error"');
    await vi.waitFor(() => expect(reason(gateway)).toBe('length'), patience);
  });

  it('is stream-shut-down if the stream outlasts the drain time of the gateway', async () => {
    const endless = await startUpstream(async (call) => {
      const stream = call.sse();
      for (const frame of openaiStream({ text: 'It rains in Graz.' }).slice(0, 3)) stream.send(frame);
      await call.gone;
    });
    onTestFinished(() => endless.close());
    const gateway = await serve({ files: { 'gateway.json': { limits: { drain_ms: 300 } } } });
    const answer = await fetch(`${gateway.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-gw-config': JSON.stringify(target('openai', endless)) },
      body: JSON.stringify({ ...question, stream: true }),
    });
    gateway.signal('SIGTERM');
    const last = (await answer.text()).trimEnd().split('\n\n').at(-1) ?? '';
    const { error } = JSON.parse(last.replace(/^data: /, ''));
    expect(error).toMatchObject({
      code: 'stream-shut-down',
      message: expect.stringContaining('shutting down, and ended this answer before it was complete. Send'),
    });
  });
});
