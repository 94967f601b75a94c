import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtinDialects } from '../../../plugins/dialects/builtin-dialects.ts';
import type { ConversationCodec, Dialect, EncodeAnswer } from '../../../plugins/sdk/dialect/dialect.ts';
import { framings } from '../../../plugins/sdk/framings/framings.ts';
import { providerFraming } from '../../../plugins/sdk/framings/provider-framing.ts';
import type { Answer, AnswerEvent } from '../../../schema/conversation/answer.ts';
import type { Conversation, Part, ToolCallPart } from '../../../schema/conversation/conversation.ts';
import { foldAnswer } from '../../../schema/conversation/fold-answer.ts';
import { unfoldAnswer } from '../../../schema/conversation/unfold-answer.ts';
import { exactText, fromExactJson } from '../../../schema/json/exact-numbers.ts';
import { toRoute, toTarget } from '../../operations-table/to-target.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';

/**
 * 64-bit ids, a decimal number with more digits than JavaScript keeps, and numbers that JavaScript reads as infinity and zero.
 */
const written =
  '{"to":"ann@example.org","id":1234567890123456789,"more":[-9223372036854775808,{"at":0.12345678901234567891},1e400,-1E-400],"few":1.5}';
const call: ToolCallPart = { kind: 'tool-call', id: 'call_1', name: 'find', arguments: written };

const conversing = builtinDialects.filter(
  ({ conversation, routes = [] }) => conversation !== undefined && routes.length > 0,
);
const pairs = conversing.flatMap((client) => conversing.map((provider) => ({ client, provider })));

const findDialect = (id: string): Dialect => conversing.find((dialect) => dialect.id === id) ?? expect.unreachable();
/** The dialect of a provider's endpoint. OpenAI speaks two. The path is `/DIALECT/whole/…` or `/DIALECT/stream/…`. */
const dialectOf = (path: string): Dialect => {
  if (path.endsWith('/responses')) return findDialect('responses');
  return findDialect(path.endsWith('/chat/completions') ? 'chat' : (path.split('/')[1] ?? ''));
};
const replaced = (rule: string, redactText: string) => ({ 'default.regexReplace': { rule, redactText } });
const reversibly = { 'default.pii': { categories: ['email'], action: 'redact-reversibly' }, deny: true };
/** The bounds of 64-bit integers, as programs write them that derive schemas from types. */
const schema =
  '{"type":"object","properties":{"id":{"type":"integer","maximum":9223372036854775807,"enum":[-9223372036854775808]}}}';
/** Checks, and the call that clients and providers get with them. */
const ways = [
  { way: 'without a check', checks: {}, seen: written, sent: written },
  {
    way: 'with a check that changes them',
    checks: { input_guardrails: [replaced('ann', 'ben')], output_guardrails: [replaced('ben', 'eve')] },
    ...{ seen: written.replace('ann', 'eve'), sent: written.replace('ann', 'ben') },
  },
  {
    way: 'with a check whose changes are undone',
    checks: { input_guardrails: [reversibly] },
    ...{ seen: written, sent: written.replace('ann@example.org', '[EMAIL]') },
  },
];

const plainMark = (text: string): string => text.replace(/\[EMAIL_\w+\]/, '[EMAIL]');

const codecOf = ({ conversation }: Dialect): ConversationCodec => conversation ?? expect.unreachable();

const options: EncodeAnswer = { provider: 'p', strict: true, streamUsage: true, id: 'answer_1', created: 1 };
const here = { scope: 'here' };
/** An answer that repeats the call of the request. */
const answerTo = (asked: string): Answer => ({
  ...{ id: 'answer_1', model: 'm', created: 1, extensions: {} },
  choices: [{ index: 0, parts: [{ ...call, arguments: asked }], finish: { reason: 'tool-calls' } }],
});

const argumentsIn = (parts: readonly Part[]): readonly string[] =>
  parts.flatMap((part) => (part.kind === 'tool-call' ? [part.arguments] : []));

/** The arguments in a request that a provider received. */
const argumentsOf = (path: string, text: string): readonly string[] => {
  const asked = { ...here, stream: path.includes('/stream/'), model: 'm' };
  const { turns } = codecOf(dialectOf(path)).decodeRequest(fromExactJson(text), asked);
  return argumentsIn(turns.flatMap(({ parts }) => parts));
};

/** The schema of the tool in a request that a provider received, without what a format adds to all schemas. */
const schemaOf = (path: string, text: string): string => {
  const asked = { ...here, stream: path.includes('/stream/'), model: 'm' };
  const [tool] = codecOf(dialectOf(path)).decodeRequest(fromExactJson(text), asked).tools;
  return exactText(tool?.kind === 'function' ? (tool.parameters ?? {}) : {});
};

const toRequest = (dialect: Dialect, stream: boolean): Buffer => {
  const conversation: Conversation = {
    ...{ model: 'm', system: [], stream, sampling: { maxTokens: 100 }, extensions: {} },
    tools: [{ kind: 'function', name: 'find', parameters: fromExactJson(schema) }],
    turns: [
      { role: 'user', parts: [{ kind: 'text', text: 'Find it.' }] },
      { role: 'assistant', parts: [call] },
      { role: 'user', parts: [{ kind: 'tool-result', id: 'call_1', parts: [{ kind: 'text', text: 'Found.' }] }] },
    ],
  };
  const target = { provider: 'p', strict: false, drop: new Set<string>(), scope: here.scope };
  return Buffer.from(exactText(codecOf(dialect).encodeRequest(conversation, target).body));
};

let gateway: GatewayProcess;
let upstream: TestUpstream;

beforeAll(async () => {
  [gateway, upstream] = await Promise.all([
    startGateway(),
    startUpstream((asked) => {
      const { path } = asked.request;
      const said = answerTo(argumentsOf(path, asked.request.text())[0] ?? expect.unreachable());
      const dialect = dialectOf(path);
      const codec = codecOf(dialect);
      if (path.includes('/whole/')) return asked.json(codec.encodeAnswer(said, options));
      const encoder = codec.streamEncoder(options);
      const { createWriter, contentType } = providerFraming(dialect);
      const writer = createWriter();
      const frames = [...unfoldAnswer(said).flatMap((event) => encoder.push(event)), ...encoder.end()];
      return asked.answer({
        headers: { 'content-type': contentType },
        body: Buffer.concat([writer.write(frames), writer.end()]),
      });
    }),
  ]);
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

const readEvents = (dialect: Dialect, bytes: Buffer): readonly AnswerEvent[] => {
  const splitter = framings[dialect.framing ?? 'sse'].createSplitter();
  const decoder = codecOf(dialect).streamDecoder(here);
  const { frames } = splitter.push(bytes);
  return [...frames.flatMap((frame) => decoder.push(frame)), ...decoder.end()];
};

interface Asked {
  readonly client: Dialect;
  readonly stream: boolean;
  readonly config: object;
}

const ask = ({ client, stream, config }: Asked): Promise<Response> =>
  fetch(`${gateway.origin}${toRoute(client, stream)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-config': JSON.stringify(config) },
    body: toRequest(client, stream),
  });

describe.each(ways)('numbers with more digits than JavaScript keeps, $way', ({ checks, seen, sent }) => {
  it.each(pairs)(
    'stay exact in calls of clients of $client.id at $provider.id, and back',
    async ({ client, provider }) => {
      for (const stream of [false, true]) {
        const host = `${upstream.origin}/${provider.id}/${stream ? 'stream' : 'whole'}`;
        const config = { ...toTarget(provider, host), ...checks };
        const response = await ask({ client, stream, config });
        const bytes = Buffer.from(await response.arrayBuffer());
        expect(response.status, String(bytes)).toBe(200);
        const { choices } = stream
          ? foldAnswer(readEvents(client, bytes))
          : codecOf(client).decodeAnswer(fromExactJson(String(bytes)), here);
        expect(argumentsIn(choices[0]?.parts ?? [])).toEqual([seen]);

        const { path, text } = upstream.requests.at(-1) ?? expect.unreachable();
        expect(argumentsOf(path, text()).map(plainMark)).toEqual([sent]);
        expect(schemaOf(path, text())).toBe(schema);
      }
    },
  );
});

const id = '1234567890123456789';
const without = { 'default.contains': { words: [id], operator: 'none' }, deny: true };

describe('a check that looks for the digits of a long number', () => {
  it.each(pairs)('finds them in calls of $provider.id for clients of $client.id', async ({ client, provider }) => {
    for (const stream of [false, true]) {
      const host = `${upstream.origin}/${provider.id}/${stream ? 'stream' : 'whole'}`;
      const config = { ...toTarget(provider, host), output_guardrails: [without] };
      expect((await ask({ client, stream, config })).status).toBe(446);
    }
  });
});

it.each([false, true])(
  'keeps numbers exact in arguments that Mistral returns as an object; in a stream: %s',
  async (stream) => {
    const called = `{"id":"c1","function":{"name":"find","arguments":${written}}}`;
    const said = {
      id: 'a',
      model: 'm',
      choices: [{ index: 0, finish_reason: 'tool_calls', said: { tool_calls: [] } }],
    };
    const body = JSON.stringify(said)
      .replace('[]', `[${called}]`)
      .replace('"said"', stream ? '"delta"' : '"message"');
    const mistral = await startUpstream(({ answer }) =>
      answer({
        headers: { 'content-type': stream ? 'text/event-stream' : 'application/json' },
        body: stream ? `data: ${body}\n\ndata: [DONE]\n\n` : body,
      }),
    );
    const config = { provider: 'mistral-ai', api_key: 'k', custom_host: `${mistral.origin}/v1` };
    const response = await ask({ client: findDialect('chat'), stream, config });
    expect(await response.text()).toContain(`"arguments":${JSON.stringify(written)}`);
    await mistral.close();
  },
);
