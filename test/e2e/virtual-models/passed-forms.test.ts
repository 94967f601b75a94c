import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';

let gateway: GatewayProcess;
let upstream: TestUpstream;

const bodyBytes = 64 * 1024;

beforeAll(async () => {
  upstream = await startUpstream((call) => call.json({ id: 'video_1' }));
  const settings = { custom_host: `${upstream.origin}/v1` };
  const credential = { api_key: '${env:KEY}' };
  gateway = await startGateway({
    files: {
      'gateway.json': {
        configs: 'configs',
        default_config: 'other',
        spool_dir: 'spool',
        limits: { body_bytes: bodyBytes },
        providers: { main: { provider: 'openai', credential, settings } },
        models: { fast: 'config:quick', alias: '@main/sora-2', judged: 'config:judged' },
      },
      'configs/quick.json': { provider: '@main', override_params: { model: 'real-1', seconds: '4' } },
      'configs/judged.json': {
        provider: '@main',
        override_params: { model: 'real-1' },
        input_guardrails: [{ 'default.contains': { words: ['secret'], operator: 'none' }, deny: true }],
      },
      'configs/other.json': { provider: '@main' },
      'spool/.keep': '',
    },
    env: { KEY: 'a-key-for-tests' },
  });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

type Field = readonly [name: string, value: string | Blob];

/** Sends a form on a path that is passed through. Returns the status, the plan, and the fields that were sent. */
const send = async (
  fields: readonly Field[],
  { path = '/v1/videos', headers = {} }: { readonly path?: string; readonly headers?: Record<string, string> } = {},
) => {
  const body = new FormData();
  for (const [name, value] of fields) body.append(name, value);
  const before = upstream.requests.length;
  const answer = await fetch(gateway.origin + path, { method: 'POST', headers, body });
  const text = await answer.text();
  const [request] = upstream.requests.slice(before);
  const type = request?.header('content-type') ?? '';
  const sent =
    request && (await new Response(new Uint8Array(request.body), { headers: { 'content-type': type } }).formData());
  return { status: answer.status, text, plan: answer.headers.get('x-gw-plan')?.split('@')[0], sent };
};

const picture = (bytes: number): Blob =>
  new Blob([new Uint8Array(bytes).map((_, at) => at % 251)], { type: 'image/png' });

/** The model before and after the file: it is found in any position. */
const orders = [
  ['before the file', (model: Field, file: Field): readonly Field[] => [model, file]],
  ['after the file', (model: Field, file: Field): readonly Field[] => [file, model]],
] as const;

describe.each(orders)('a passed-through form with its model %s', (_where, order) => {
  it.each([
    ['in memory', 1000],
    ['in a file', 3 * bodyBytes],
  ])('is sent where its virtual model points, %s', async (_how, bytes) => {
    const file = picture(bytes);
    const { status, plan, sent } = await send([
      ...order(['model', 'fast'], ['input_reference', file]),
      ['prompt', 'A cat.'],
    ]);
    expect([status, plan]).toEqual([200, 'quick']);
    expect([sent?.get('model'), sent?.get('seconds'), sent?.get('prompt')]).toEqual(['real-1', '4', 'A cat.']);
    const received = sent?.get('input_reference');
    expect(received instanceof Blob && Buffer.from(await received.arrayBuffer())).toEqual(
      Buffer.from(await file.arrayBuffer()),
    );
  });

  it("is sent to the provider's model that its virtual model stands for", async () => {
    const { status, sent } = await send(order(['model', 'alias'], ['input_reference', picture(10)]));
    expect([status, sent?.get('model')]).toEqual([200, 'sora-2']);
  });

  it('keeps another model, and the plan that it would have without virtual models', async () => {
    const { status, plan, sent } = await send(order(['model', 'sora-2'], ['input_reference', picture(10)]));
    expect([status, plan, sent?.get('model')]).toEqual([200, 'other', 'sora-2']);
  });

  it('keeps its model if a header selects the config', async () => {
    const fields = order(['model', 'fast'], ['input_reference', picture(10)]);
    const { plan, sent } = await send(fields, { headers: { 'x-gw-config': 'other' } });
    expect([plan, sent?.get('model')]).toEqual(['other', 'fast']);
  });
});

describe('a passed-through form', () => {
  it('is refused if another parser could find another model, and nothing is sent', async () => {
    const { status, text, sent } = await send([
      ['model', 'fast'],
      ['model', 'sora-2'],
    ]);
    expect([status, text, sent]).toEqual([400, expect.stringContaining('several fields \\"model\\"'), undefined]);
  });

  it('is refused if the checks of its virtual model may deny, because they cannot read it', async () => {
    const { status, text, sent } = await send([
      ['model', 'judged'],
      ['prompt', 'A secret.'],
    ]);
    expect([status, text, sent]).toEqual([403, expect.stringContaining('unjudged-request'), undefined]);
  });

  it('is not read if it calls no model', async () => {
    const fields: readonly Field[] = [
      ['model', 'fast'],
      ['model', 'fast'],
    ];
    const { status, plan, sent } = await send(fields, { path: '/v1/containers/c/files' });
    expect([status, plan, sent?.getAll('model')]).toEqual([200, 'other', ['fast', 'fast']]);
  });
});
