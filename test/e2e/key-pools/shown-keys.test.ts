import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toFingerprint } from '../../../runtime/engine/target/state-key.ts';
import { runGw } from '../../support/commands/run-gw.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream, type UpstreamCall } from '../../support/servers/upstream-server.ts';
import { openaiAnswer, openaiError, openaiStream } from '../../support/vendors/openai-wire.ts';
import { Secrets } from '../secrecy/support/secrets.ts';

/** Everything that the gateway reports about a pool contains the positions of its keys, but neither a key nor its fingerprint. */
const names = ['KEY_A', 'KEY_B', 'KEY_C'];
const secrets = new Secrets();
const keys = names.map((name) => {
  const api_key = secrets.add(name, `sk-${randomBytes(18).toString('hex')}`);
  secrets.add(`${name}, as a fingerprint`, toFingerprint({ api_key }));
  return api_key;
});

const toKey = ({ request }: UpstreamCall): string => (request.header('authorization') ?? '').replace('Bearer ', '');

/** The key, if the gateway reads answers with status 200 on this path. */
const toReadKey = (call: UpstreamCall): string => (call.request.path.endsWith('/files') ? '' : toKey(call));

/** The provider's answers. They contain the key, except for successful answers, which are not searched. */
const behaviours: Readonly<Record<string, (call: UpstreamCall) => void>> = {
  'an answer': (call) => call.json(openaiAnswer({ text: 'Hello.' })),
  'a stream': (call) => {
    const stream = call.sse();
    for (const frame of openaiStream({ text: 'Hello.' })) stream.send(frame);
    stream.end();
  },
  'a stream that begins with an error': (call) => {
    const stream = call.sse();
    stream.frame(openaiError(`Failed for ${toReadKey(call)}.`, 'server_error'));
    stream.end();
  },
  'a refusal': (call) =>
    call.json(openaiError(`Incorrect API key: ${toKey(call)}.`, 'invalid_request_error', 'invalid_api_key'), {
      status: 401,
    }),
  'a limit': (call) => call.json(openaiError(`Slower, ${toKey(call)}.`, 'requests'), { status: 429 }),
  'a failure': (call) => call.answer({ status: 503, body: `No: ${toKey(call)}` }),
  'no JSON': (call) => {
    call.answer({ headers: { 'content-type': 'application/json' }, body: `{${toReadKey(call)}` });
  },
  'no HTTP': (call) => {
    call.raw(`HTTP/1.1 ${toKey(call)}\r\n\r\n`);
    call.cut();
  },
  nothing: (call) => call.cut('reset'),
};

let gateway: GatewayProcess;
let upstream: TestUpstream;

const pool = (more: object): object => ({
  ...{ provider: 'openai', custom_host: `${upstream.origin}/v1`, ...more },
  keys: names.map((name) => ({ api_key: `\${env:${name}}` })),
});

beforeAll(async () => {
  upstream = await startUpstream();
  gateway = await startGateway({
    env: { ...Object.fromEntries(names.map((name, at) => [name, keys[at] ?? ''])), GW_LOG: 'requests,hooks' },
    files: {
      'gateway.json': { configs: 'configs', metrics: true, trusted_hosts: ['127.0.0.1'] },
      'configs/one.json': pool({
        retry: { attempts: 1 },
        cb_config: { failure_threshold: 1, cooldown_interval: 60_000 },
      }),
      'configs/several.json': pool({ accounts: 'several', cache: { mode: 'simple' } }),
    },
  });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

/** Everything that a client sees of an answer. */
const seen = async (config: string, stream: boolean, route = 'chat/completions'): Promise<string> => {
  const answer = await fetch(`${gateway.baseUrl}/${route}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-config': config, 'x-gw-usage': 'true', 'x-gw-debug': 'true' },
    body: JSON.stringify({ model: 'm', stream, input: 'Hi', messages: [{ role: 'user', content: 'Hi' }] }),
  });
  const body = await answer.text().catch(String);
  return `${JSON.stringify([...answer.headers])}\n${body}`;
};

it.each(Object.keys(behaviours))('shows a client neither keys nor their fingerprints after %s', async (how) => {
  upstream.handle((call) => behaviours[how]?.(call));
  const before = upstream.requests.length;
  for (const config of ['one', 'several'])
    for (const route of ['chat/completions', 'responses', 'files'])
      expect({
        config,
        route,
        leaks: secrets.in(Buffer.from(await seen(config, how.includes('stream'), route))),
      }).toEqual({
        ...{ config, route, leaks: [] },
      });
  expect(upstream.requests.length).toBeGreaterThan(before);
  // The search would find a key.
  expect(secrets.in(Buffer.from(upstream.requests.at(-1)?.head ?? ''))).not.toEqual([]);
});

it('shows only the positions of keys in logs, trails and metrics', async () => {
  await expect.poll(() => gateway.records().filter(({ trail }) => trail !== undefined).length).toBeGreaterThan(40);
  expect(gateway.printed()).toMatch(/"kind":"attempted"[^}]*"key":[012]/);
  const pages = await Promise.all(
    ['/metrics', '/readyz', '/livez'].map(async (page) => (await fetch(`${gateway.origin}${page}`)).text()),
  );
  expect(pages[0]).toMatch(/gatewright_key_attempts_total\{[^}]*key="[012]"/);
  for (const text of [gateway.printed(), ...pages]) expect(secrets.in(Buffer.from(text))).toEqual([]);
});

it('shows no key in the output of commands about a pool, or about a request that used it', async () => {
  const [line] = gateway.records().filter(({ trail }) => JSON.stringify(trail ?? '').includes('"key":'));
  const config = String(line?.plan).split('@')[0];
  writeFileSync(path.join(gateway.folder, 'line.json'), JSON.stringify(line));
  const outputs = [
    await runGw(gateway.folder, ['explain', `configs/${config}.json`, '--request', 'line.json']),
    await runGw(gateway.folder, ['explain', `configs/${config}.json`]),
    await runGw(gateway.folder, ['check', 'configs']),
    await runGw(gateway.folder, ['compile', 'configs', '--out', 'plans']),
  ];
  expect(outputs[0]?.out).toMatch(/key [012]/);
  for (const { out, err } of outputs) expect(secrets.in(Buffer.from(out + err))).toEqual([]);
});
