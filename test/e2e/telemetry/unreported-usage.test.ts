import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtinDialects } from '../../../plugins/dialects/builtin-dialects.ts';
import type { Dialect } from '../../../plugins/sdk/dialect/dialect.ts';
import type { Conversation } from '../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { clientDrivers } from '../../matrix/clients/client-drivers.ts';
import type { Scenario } from '../../matrix/scenario.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer, openaiStream } from '../../support/vendors/openai-wire.ts';

const reply = { text: 'It is sunny in Graz.' };
const question = 'How is it in Graz?';
/**
 * The estimate of one token for four bytes of text. A request has other texts besides its question, such as the name of its
 * model.
 */
const output = Math.ceil(reply.text.length / 4);
const leastInput = Math.ceil(question.length / 4);

let gateway: GatewayProcess;
let upstream: TestUpstream;
beforeAll(async () => {
  // Vercel's library would print warnings about the requests.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
  [gateway, upstream] = await Promise.all([startGateway(), startUpstream()]);
  upstream.handle((call) => {
    if (call.request.json().stream !== true) {
      call.json({ ...openaiAnswer(reply), usage: undefined });
      return;
    }
    const stream = call.sse();
    for (const frame of openaiStream(reply)) stream.send(frame);
    stream.end();
  });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

const config = (more: object = {}): string =>
  JSON.stringify({ provider: 'openai', api_key: 'k', custom_host: `${upstream.origin}/v1`, ...more });

const scenario: Scenario = {
  id: 'unreported usage',
  ask: { user: question, maxTokens: 100 },
  answer: { kind: 'answer', text: reply.text, finish: 'stop', usage: { input: 0, output: 0 } },
};

const requires = (dialect: string): boolean =>
  builtinDialects.find(({ id }) => id === dialect)?.usageRequired !== undefined;

const requiring = clientDrivers.filter(({ dialect }) => requires(dialect));

describe.each(requiring)('$library, whose dialect requires usage, at a provider that reports none', (driver) => {
  it.each([false, true])('gets an estimate, stream: %s', async (stream) => {
    const headers = { 'x-gw-config': config() };
    const received = await driver.ask(scenario, {
      origin: new URL(gateway.baseUrl).origin,
      headers,
      stream,
      retries: 0,
    });
    expect(received.text).toBe(reply.text);
    expect(received.usage?.output).toBe(output);
    expect(received.usage?.input).toBeGreaterThanOrEqual(leastInput);
  });
});

const conversing = builtinDialects.filter(({ conversation }) => conversation !== undefined);
const judged = { output_guardrails: [{ 'default.contains': { operator: 'none', words: ['rain'] }, deny: true }] };

/** Sends the question in a dialect, to the first of its paths that answers in this way. */
const ask = (dialect: Dialect, stream: boolean, more: object = {}): Promise<Response> => {
  const { id, routes = [], conversation } = dialect;
  const request: Conversation = {
    ...{ model: 'gpt-5.1', stream, ...(stream && { streamUsage: true }) },
    ...{ system: [], turns: [{ role: 'user', parts: [{ kind: 'text', text: question }] }] },
    ...{ tools: [], sampling: { maxTokens: 100 }, extensions: {} },
  };
  const target = { provider: id, strict: false, drop: new Set<string>(), scope: '' };
  const path = routes.find((route) => route.stream === undefined || route.stream === stream)?.path ?? '';
  return fetch(gateway.baseUrl + path.replace('{model}', 'gpt-5.1'), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-config': config(more), 'x-gw-usage': 'true' },
    body: JSON.stringify(conversation?.encodeRequest(request, target).body),
  });
};

describe.each(conversing)('an answer in $id of a provider that reports no usage', (dialect) => {
  it('has the counts that the gateway logs if the dialect requires them, and otherwise none', async () => {
    const answer = await ask(dialect, false);
    const body = (await answer.json()) as JsonObject;
    expect(answer.status, JSON.stringify(body)).toBe(200);
    const { kind, input, output: counted } = JSON.parse(answer.headers.get('x-gw-usage') ?? '');
    expect(kind).toBe('estimated');
    const given = dialect.usage?.(body);
    expect(given && { input: given.input, output: given.output }).toEqual(
      requires(dialect.id) ? { input: input.total, output: counted.total } : undefined,
    );
  });

  it.each([
    ['a stream', {}],
    ['a judged stream', judged],
  ])('has no zero count in %s, except the output count at its beginning', async (_, more) => {
    const answer = await ask(dialect, true, more);
    const text = await answer.text();
    expect(answer.status, text).toBe(200);
    const zeros = text.match(/"\w*tokens?(?:_?count)?"\s*:\s*0\b/gi) ?? [];
    expect(zeros).toEqual(dialect.usageRequired === 'at-start' ? ['"output_tokens":0'] : []);
    if (dialect.usageRequired !== undefined) expect(text).toMatch(new RegExp(`"output_?tokens":${output}\\b`, 'i'));
  });
});
