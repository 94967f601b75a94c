import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../../support/servers/upstream-server.ts';
import { openaiAnswer, openaiStream } from '../../../support/vendors/openai-wire.ts';

let gateway: GatewayProcess;
let upstream: TestUpstream;
let service: TestUpstream;

beforeAll(async () => {
  upstream = await startUpstream();
  service = await startUpstream();
  gateway = await startGateway({ files: { 'gateway.json': {} } });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
  await service.close();
});
beforeEach(() => {
  upstream.handle((call) => {
    const { stream, input } = JSON.parse(call.request.text());
    if (input !== undefined) return call.json({ object: 'list', data: [], model: 'm' });
    if (stream !== true) return call.json(openaiAnswer({ text: 'It is water.' }));
    const events = call.sse();
    for (const frame of openaiStream({ text: 'It is water.' })) events.send(frame);
    events.end();
  });
});

interface Answered {
  readonly status: number;
  readonly cache: string | null;
  readonly text: string;
}

const ask = async (config: object, body: object, path = 'chat/completions'): Promise<Answered> => {
  const target = { provider: 'openai', api_key: 'k', custom_host: `${upstream.origin}/v1`, ...config };
  const answer = await fetch(`${gateway.baseUrl}/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-config': JSON.stringify(target) },
    body: JSON.stringify({ model: 'm', ...body }),
  });
  return { status: answer.status, cache: answer.headers.get('x-gw-cache-status'), text: await answer.text() };
};

const says = (content: string, more: object = {}): object => ({ messages: [{ role: 'user', content }], ...more });

describe.each([false, true])('a cached answer, stream: %s', (stream) => {
  const judgedWith = (key: string): object => ({
    cache: { mode: 'simple' },
    output_guardrails: [
      { 'default.webhook': { webhookURL: service.origin, secretHeaders: { 'x-policy': key } }, deny: true },
    ],
  });

  it('is not returned to a caller whose check has another key, because that check might deny it', async () => {
    service.handle((call) => call.json({ verdict: !call.request.header('x-policy')?.includes('strict') }));
    const found: (readonly [status: number, cache: string | null])[] = [];
    for (const key of ['lenient-key', 'strict-key', 'lenient-key']) {
      const { status, cache } = await ask(judgedWith(key), says('whose key', { stream }));
      found.push([status, cache]);
    }
    expect(found).toEqual([
      [200, 'MISS'],
      [446, 'MISS'],
      [200, 'HIT'],
    ]);
  });

  it('is not kept if a check could not judge it, so that it is denied when the check works again', async () => {
    service.handle((call) => call.json({}, { status: 500 }));
    const config = judgedWith('any-key');
    expect(await ask(config, says('while it is down', { stream }))).toMatchObject({ status: 200, cache: 'MISS' });
    service.handle((call) => call.json({ verdict: false }));
    expect(await ask(config, says('while it is down', { stream }))).toMatchObject({ status: 446, cache: 'MISS' });
  });
});

describe('personal data that a check redacts', () => {
  const redacting = (deny: boolean): object => ({
    input_guardrails: [{ 'default.pii': { action: 'redact' }, deny }],
  });
  const sent = (): number => upstream.requests.length;

  it('is not sent for embedding if the guardrail may deny', async () => {
    const before = sent();
    const denied = await ask(redacting(true), { input: 'ann@example.org' }, 'embeddings');
    expect(denied).toMatchObject({ status: 446, text: expect.stringContaining('cannot change a request') });
    expect(denied.text).toMatch(
      /"explanation":"What the check found was not changed\. Checks cannot change a request .* a guardrail that denies refuses it\./,
    );
    expect(denied.text).not.toContain('which is replaced');
    expect(sent()).toBe(before);
    expect(await ask(redacting(false), { input: 'ann@example.org' }, 'embeddings')).toMatchObject({ status: 200 });
    expect(await ask(redacting(true), { input: 'no data' }, 'embeddings')).toMatchObject({ status: 200 });
  });

  it('is redacted in a predicted answer too, because the client already has that text', async () => {
    const content = 'const owner = "ann@example.org";';
    for (const prediction of [content, [{ type: 'text', text: content }]])
      expect(
        await ask(redacting(true), says('Rename it.', { prediction: { type: 'content', content: prediction } })),
      ).toMatchObject({ status: 200 });
    for (const request of upstream.requests.slice(-2)) expect(request.text()).toContain('[EMAIL]');
    for (const request of upstream.requests.slice(-2)) expect(request.text()).not.toContain('ann@example.org');
  });

  it('is not sent in more messages than a verdict can change, in this turn or in earlier ones', async () => {
    const before = sent();
    const crowd = Array.from({ length: 100_001 }, () => ({ role: 'user', content: 'a@ex.org' }));
    const last = [
      { role: 'assistant', content: 'hello' },
      { role: 'user', content: 'hello' },
    ];
    for (const messages of [crowd, [...crowd, ...last]])
      expect(await ask(redacting(true), { messages })).toMatchObject({
        status: 446,
        text: expect.stringContaining('at most 100000 replacements'),
      });
    expect(sent()).toBe(before);
  });
});

describe('a text with more matches than can be replaced one by one', () => {
  it('is still redacted', async () => {
    const rule = { rule: '/4\\d/g', redactText: '#' };
    const { status } = await ask({ input_guardrails: [{ 'default.regexReplace': rule }] }, says('42 '.repeat(120_000)));
    expect(status).toBe(200);
    expect(upstream.requests.at(-1)?.text()).not.toContain('42');
  });
});
