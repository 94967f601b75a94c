import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runGw } from '../../support/commands/run-gw.ts';
import { type GatewayProcess, startGateway, writeFolder } from '../../support/gateways/gateway-process.ts';
import { parityPlugin } from '../../support/plugins/parity-plugin.ts';
import { startUpstream, type TestUpstream, type UpstreamCall } from '../../support/servers/upstream-server.ts';
import { openaiAnswer, openaiStream } from '../../support/vendors/openai-wire.ts';

const word = 'plutonium';

interface Row {
  readonly name: string;
  readonly input?: object;
  readonly output?: object;
  readonly deny?: boolean;
  /** The texts of the model, one for each attempt. */
  readonly says?: readonly string[];
  readonly stream?: boolean;
  readonly messages?: readonly object[];
  /** Two targets, the first of which fails. */
  readonly fallsBack?: boolean;
  /** Must occur in the answer or in the requests to the provider, so that the tiers are not alike because nothing happens. */
  readonly shows: RegExp;
}

const harmless = 'It is water, and nothing else.';
const secret = `It is ${word} in drum 7.`;

const rows: readonly Row[] = [
  { name: 'denies-requests', input: { how: 'deny', word: 'hello' }, deny: true, shows: /"status":446/ },
  { name: 'denies-answers', output: { how: 'deny' }, deny: true, says: [secret], shows: /"status":446/ },
  { name: 'marks-answers', output: { how: 'deny' }, says: [secret], shows: /"status":246/ },
  { name: 'denies-streams', output: { how: 'deny' }, deny: true, says: [secret], stream: true, shows: /guardrail/ },
  { name: 'passes-streams', output: { how: 'deny' }, deny: true, stream: true, shows: /else/ },
  { name: 'redacts-answers', output: { how: 'replace' }, says: [secret], shows: /is \[word\] in/ },
  { name: 'redacts-streams', output: { how: 'replace' }, says: [secret], stream: true, shows: /\[word\]/ },
  {
    name: 'redacts-earlier-turns',
    input: { how: 'replace' },
    messages: [
      { role: 'system', content: `No ${word}.` },
      { role: 'user', content: `What is ${word}?` },
      { role: 'assistant', content: `A metal: ${word}.` },
      { role: 'user', content: `Where is ${word} from?` },
    ],
    shows: /No \[word\].*What is \[word\].*A metal: \[word\].*Where is \[word\]/,
  },
  {
    name: 'redacts-earlier-turns-alone',
    input: { how: 'replace' },
    messages: [
      { role: 'user', content: `What is ${word}?` },
      { role: 'assistant', content: `A metal: ${word}.` },
      { role: 'user', content: 'Where is it from?' },
    ],
    shows: /What is \[word\].*A metal: \[word\]/,
  },
  {
    name: 'restores',
    input: { how: 'restore' },
    messages: [{ role: 'user', content: 'my number is 7305551234' }],
    shows: /my number is \[NUMBER\]/,
  },
  { name: 'gives-another-body', input: { how: 'body' }, shows: /another question/ },
  { name: 'repairs', output: { how: 'retry' }, deny: true, says: [secret, harmless], shows: /Say it without/ },
  {
    name: 'repairs-streams',
    output: { how: 'retry' },
    deny: true,
    says: [secret, harmless],
    stream: true,
    shows: /Say it without/,
  },
  { name: 'repairs-once', output: { how: 'retry' }, deny: true, says: [secret, secret], shows: /"status":446/ },
  { name: 'is-late', input: { how: 'slow', failOnError: true }, deny: true, shows: /TimeoutError.*within 40 ms/ },
  { name: 'is-late-by-config', input: { how: 'slow', timeout: 30 }, shows: /TimeoutError.*within 30 ms/ },
  { name: 'throws', input: { how: 'throw' }, shows: /RangeError","message":"It is out of range/ },
  { name: 'has-odd-data', input: { how: 'unwritable', word: 'hello' }, shows: /"seen":true.*"data":null/ },
  { name: 'says-nonsense', input: { how: 'nonsense', failOnError: true }, deny: true, shows: /returned no verdict/ },
  { name: 'replaces-elsewhere', input: { how: 'misplaced' }, deny: true, shows: /"status":446/ },
  { name: 'is-asked-once', input: { how: 'count' }, fallsBack: true, shows: /"calls":\d/ },
  { name: 'is-asked-for-each-target', input: { how: 'countOfTarget' }, fallsBack: true, shows: /"calls":\d.*"openai"/ },
  { name: 'is-given-its-input', input: { how: 'given' }, shows: /"word":"plutonium".*"withinMs":12345/ },
  { name: 'is-given-answers', output: { how: 'given' }, shows: /"answer"/ },
  { name: 'calls-a-service', input: { how: 'fetch', url: 'service' }, shows: /"bytes":\[255,0,65\]/ },
];

/**
 * The ways in which a config reaches the gateway. A caller's is compiled with the first request, which must behave like later
 * ones.
 */
const roads = ['header', 'saved', 'plan'] as const;
type Road = (typeof roads)[number];

/** If there are several workers, their owner has the process that runs the checks of all. */
const tiers = ['isolated', 'in-process', 'isolated-of-workers'] as const;
type Tier = (typeof tiers)[number];

let upstream: TestUpstream;
let service: TestUpstream;
const gateways = new Map<string, GatewayProcess>();
const folders: string[] = [];

const toGateway = (tier: Tier, road: Road): GatewayProcess => {
  const gateway = gateways.get(`${tier} ${road === 'plan' ? 'plan' : 'configs'}`);
  if (gateway === undefined) throw new Error('There is no such gateway.');
  return gateway;
};

const target = (road: Road): object => ({
  provider: 'openai',
  api_key: road === 'header' ? 'callers-own-key' : '${env:PARITY_KEY}',
  custom_host: `${upstream.origin}/v1`,
});

/** The parameters differ by road, so that no road benefits from the requests of another. */
const toHook = (parameters: object, deny: boolean, road: Road): object => {
  const url = 'url' in parameters ? { url: `${service.origin}/judge` } : {};
  return { 'acme.act': { ...parameters, ...url, road }, deny };
};

const toConfig = ({ input, output, deny = false, fallsBack = false }: Row, road: Road): object => {
  const guards = {
    ...(input === undefined ? {} : { input_guardrails: [toHook(input, deny, road)] }),
    ...(output === undefined ? {} : { output_guardrails: [toHook(output, deny, road)] }),
  };
  if (!fallsBack) return { ...target(road), ...guards };
  const failing = { ...target(road), custom_host: `${upstream.origin}/failing/v1` };
  return { strategy: { mode: 'fallback' }, targets: [failing, target(road)].map((each) => ({ ...each, ...guards })) };
};

const files = (tier: Tier): Readonly<Record<string, unknown>> => ({
  'acme/package.json': {
    name: 'acme',
    type: 'module',
    exports: './acme.js',
    gatewright: { permissions: { hosts: ['127.0.0.1'] } },
  },
  'acme/acme.js': parityPlugin,
  'gateway.json': { configs: 'configs', plugins: [{ package: './acme', isolate: tier !== 'in-process' }] },
  ...Object.fromEntries(rows.map((row) => [`configs/${row.name}.json`, toConfig(row, 'saved')])),
  ...Object.fromEntries(rows.map((row) => [`sources/${row.name}.json`, toConfig(row, 'plan')])),
});

beforeAll(async () => {
  upstream = await startUpstream();
  service = await startUpstream((call) => call.answer({ body: Buffer.from([255, 0, 65]) }));
  for (const tier of tiers) {
    const folder = writeFolder(files(tier));
    folders.push(folder);
    const env = { PARITY_KEY: 'k' };
    expect(await runGw(folder, ['compile', 'sources', '--out', 'plans', '--no-types'])).toMatchObject({ code: 0 });
    const config = ['--config', 'gateway.json', '--workers', tier === 'isolated-of-workers' ? '2' : '1'];
    gateways.set(`${tier} configs`, await startGateway({ folder, args: config, env }));
    gateways.set(`${tier} plan`, await startGateway({ folder, args: [...config, '--plans', 'plans'], env }));
  }
});
afterAll(async () => {
  await Promise.all([...gateways.values()].map((gateway) => gateway.stop()));
  await Promise.all([upstream.close(), service.close()]);
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Removes what differs between runs: times, random names, and who reports a time-out. */
const comparable = (text: string): string =>
  text
    .replaceAll(/"(execution_time|created_at)":\d+/g, '"$1":0')
    .replaceAll(/NUMBER_[0-9a-f]{12}/g, 'NUMBER')
    .replaceAll(/The check \\*"acme\.act\\*" of the isolated plugin \\*"[^"]*\\*" did not/g, 'The check did not')
    .replaceAll(/"road":"\w+"/g, '"road":""');

const answerWith = (says: readonly string[]): void => {
  const texts = [...says];
  upstream.handle((call: UpstreamCall) => {
    if (call.request.path.startsWith('/failing')) return call.json({ error: { message: 'broken' } }, { status: 500 });
    const text = texts.shift() ?? harmless;
    if (!call.request.body.toString().includes('"stream":true')) return call.json(openaiAnswer({ text }));
    const sse = call.sse();
    for (const frame of openaiStream({ text })) sse.send(frame);
    return sse.end();
  });
};

const post = (gateway: GatewayProcess, config: string, body: object): Promise<Response> =>
  fetch(`${gateway.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-config': config },
    body: JSON.stringify(body),
  });

/** Sends a request. Returns the client's answer and the requests to the provider, as text. */
const outcome = async (row: Row, tier: Tier, road: Road): Promise<string> => {
  const before = upstream.requests.length;
  answerWith(row.says ?? []);
  const { stream = false, messages = [{ role: 'user', content: 'hello' }] } = row;
  const response = await post(
    toGateway(tier, road),
    road === 'header' ? JSON.stringify(toConfig(row, road)) : row.name,
    { model: 'm', messages, ...(stream ? { stream } : {}) },
  );
  const text = await response.text();
  const shown = { status: response.status, retries: response.headers.get('x-gw-retry-attempt-count') };
  const sent = upstream.requests.slice(before).map(({ body }) => body.toString());
  return comparable(`${JSON.stringify(shown)}\n${text}\n${sent.join('\n')}`);
};

describe.each(roads)("an isolated check behaves as in the gateway's process, with the config by %s:", (road) => {
  it.each(rows)('$name', async (row) => {
    const isolated = await outcome(row, 'isolated', road);
    expect(isolated).toMatch(new RegExp(row.shows, 's'));
    expect(isolated).toBe(await outcome(row, 'in-process', road));
    expect(isolated).toBe(await outcome(row, 'isolated-of-workers', road));
  });

  it.each(tiers)('lets a stream through part by part, %s', async (tier) => {
    const rest = Promise.withResolvers<void>();
    upstream.handle(async (call) => {
      const sse = call.sse();
      const frames = openaiStream({ text: `${'so far, so good, '.repeat(4)}${word}` });
      for (const frame of frames.slice(0, 8)) sse.send(frame);
      await rest.promise;
      for (const frame of frames.slice(8)) sse.send(frame);
      sse.end();
    });
    // A check that no earlier request has used judges the parts, if the config is a caller's.
    const row = rows.find(({ name }) => name === 'denies-streams');
    if (row === undefined) throw new Error('There is no such row.');
    const config = road === 'header' ? { ...toConfig(row, road), output_guardrails: [newCheck(tier)] } : row.name;
    const response = await post(toGateway(tier, road), typeof config === 'string' ? config : JSON.stringify(config), {
      model: 'm',
      stream: true,
      messages: [{ role: 'user', content: 'hello' }],
    });
    let text = '';
    for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += part;
      // The provider sends the rest only after the client has this.
      if (text.includes('good')) rest.resolve();
    }
    expect(text).toContain('good');
    expect(text).not.toContain(word);
  });
});

const newCheck = (tier: Tier): object => ({ 'acme.act': { how: 'deny', road: `${tier} parts` }, deny: true });

describe('what a check reports about a config', () => {
  it.each([
    ['with parameters that it refuses', { input_guardrails: [{ 'acme.act': { how: 'sing' } }] }, /no act \\"sing/],
    [
      'if it throws when it is asked whether it retries',
      { input_guardrails: [{ 'acme.unsure': {} }] },
      /does not know whether it retries/,
    ],
    ['if it is for another phase', { input_guardrails: [{ 'acme.ofAnswers': {} }] }, /wrong-phase/],
    ['with parameters that do not fit its schema', { input_guardrails: [{ 'acme.act': {} }] }, /requires \\"how/],
    ['under another of its names', { input_guardrails: [{ 'ACME.perform': { how: 'count' } }] }, /"id":"acme.act"/],
    ['if it throws when it is created', { input_guardrails: [{ 'acme.act': { how: 'create' } }] }, /"status":500/],
  ])('%s: is the same for the first request', async (_, guards, shows) => {
    const shown = await Promise.all(
      tiers.map(async (tier) => {
        const response = await post(
          toGateway(tier, 'header'),
          JSON.stringify({ ...target('header'), provider: 'echo', ...guards }),
          { model: 'm', messages: [{ role: 'user', content: 'hello' }] },
        );
        return comparable(`${JSON.stringify({ status: response.status })}\n${await response.text()}`);
      }),
    );
    expect(shown[0]).toMatch(shows);
    expect(withoutIds(shown[0])).toBe(withoutIds(shown[1]));
    expect(withoutIds(shown[0])).toBe(withoutIds(shown[2]));
  });
});

const withoutIds = (text = ''): string => text.replaceAll(/"(id|trace_id|created|calls)":("[^"]*"|\d+)/g, '"$1":0');
