import { request } from 'node:http';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { patience } from '../../support/run/patience.ts';
import { startUpstream, type TestUpstream, type UpstreamHandler } from '../../support/servers/upstream-server.ts';
import { anthropicStream } from '../../support/vendors/anthropic-wire.ts';
import { openaiStream } from '../../support/vendors/openai-wire.ts';
import { ask, limitedGateway, makePolicy, saveTarget, toSum } from '../limits/support/limited-gateway.ts';

const beginning = 'Once upon a time ';
const ending = 'there was a bridge.';

/** Sends the events of a stream up to the end of the text, and then breaks off. */
const breaking =
  (events: readonly string[]): UpstreamHandler =>
  (call) => {
    const stream = call.sse();
    const last = events.findLastIndex((event) => event.includes('time '));
    for (const event of events.slice(0, last + 1)) stream.send(event);
    stream.cut();
  };

const whole =
  (events: (body: { readonly stream_options?: unknown }) => readonly string[]): UpstreamHandler =>
  (call) => {
    const stream = call.sse();
    for (const event of events(JSON.parse(call.request.text()))) stream.send(event);
    stream.end();
  };

const openaiWhole = whole(({ stream_options }) =>
  openaiStream({ text: ending }, { withUsage: stream_options !== undefined }),
);

let gateway: GatewayProcess;
let first: TestUpstream;
let second: TestUpstream;
beforeAll(async () => {
  [gateway, first, second] = await Promise.all([
    startGateway({ env: { GW_LOG: 'requests' } }),
    startUpstream(breaking(anthropicStream({ text: beginning }))),
    startUpstream(openaiWhole),
  ]);
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all([first.close(), second.close()]);
});

const target = (provider: string, { origin }: TestUpstream): object => ({
  ...{ provider, api_key: `the-key-of-${provider}`, custom_host: `${origin}/v1` },
});

const config = (): string =>
  JSON.stringify({
    strategy: { mode: 'fallback', continue: true },
    targets: [target('anthropic', first), target('cerebras', second)],
  });

const defaultHeaders = (): Record<string, string> => ({ 'x-gw-config': config() });
const messages = [{ role: 'user' as const, content: 'Tell me a story.' }];

describe('a stream that is cut and continued at another provider', () => {
  it("is one answer to OpenAI's chat client, with one id and the usage of both", async () => {
    const client = new OpenAI({ baseURL: gateway.baseUrl, apiKey: 'unused', defaultHeaders: defaultHeaders() });
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    const options = { model: 'm', messages, stream: true, stream_options: { include_usage: true } } as const;
    for await (const chunk of await client.chat.completions.create(options)) chunks.push(chunk);
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe(beginning + ending);
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
    expect(chunks.flatMap(({ choices }) => choices[0]?.finish_reason ?? [])).toEqual(['stop']);
    const used = chunks.flatMap(({ usage }) => usage ?? []);
    expect(used).toHaveLength(1);
    // The first target reported 21 input tokens and broke off before it counted its output; the second reported 21 and 9.
    expect(used[0]?.prompt_tokens).toBe(42);
    expect(used[0]?.completion_tokens).toBeGreaterThan(9);
    expect(second.requests.at(-1)?.text()).toContain(JSON.stringify(beginning.trim()));
    expect(second.requests.at(-1)?.header('authorization')).toBe('Bearer the-key-of-cerebras');
  });

  it("is one message to Anthropic's client", async () => {
    const client = new Anthropic({ baseURL: gateway.origin, apiKey: 'unused', defaultHeaders: defaultHeaders() });
    const stream = client.messages.stream({ model: 'm', max_tokens: 100, messages });
    const kinds: string[] = [];
    stream.on('streamEvent', ({ type }) => kinds.push(type));
    const message = await stream.finalMessage();
    expect(message).toMatchObject({
      content: [{ type: 'text', text: beginning + ending }],
      stop_reason: 'end_turn',
      usage: { output_tokens: expect.any(Number) },
    });
    expect(kinds.filter((kind) => kind !== 'content_block_delta' && kind !== 'ping')).toEqual([
      ...['message_start', 'content_block_start', 'content_block_stop', 'message_delta', 'message_stop'],
    ]);
  });

  it("is one response to OpenAI's Responses client", async () => {
    const client = new OpenAI({ baseURL: gateway.baseUrl, apiKey: 'unused', defaultHeaders: defaultHeaders() });
    const response = await client.responses.stream({ model: 'm', input: 'Tell me a story.' }).finalResponse();
    expect([response.status, response.output_text]).toEqual(['completed', beginning + ending]);
  });

  it("is one answer to Google's client", async () => {
    const client = new GoogleGenAI({
      apiKey: 'unused',
      httpOptions: { baseUrl: gateway.origin, headers: defaultHeaders() },
    });
    const texts: string[] = [];
    const reasons: unknown[] = [];
    for await (const chunk of await client.models.generateContentStream({ model: 'm', contents: 'Tell me a story.' })) {
      texts.push(chunk.text ?? '');
      reasons.push(...(chunk.candidates ?? []).flatMap(({ finishReason }) => finishReason ?? []));
    }
    expect([texts.join(''), reasons]).toEqual([beginning + ending, ['STOP']]);
  });

  it('reports the continuation in a trailer, if the client accepts trailers, and in the log', async () => {
    const read = (headers: Record<string, string>): Promise<NodeJS.Dict<string>> =>
      new Promise((resolve, reject) => {
        const options = {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...defaultHeaders(), ...headers },
        };
        request(`${gateway.baseUrl}/chat/completions`, options, (answer) => {
          answer.resume().on('end', () => resolve({ announced: answer.headers.trailer, ...answer.trailers }));
        })
          .on('error', reject)
          .end(JSON.stringify({ model: 'm', messages, stream: true }));
      });
    expect(await read({ te: 'trailers', 'x-gw-trace-id': 'with-trailers' })).toEqual({
      announced: 'x-gw-continued',
      'x-gw-continued': 'config.targets[1]',
    });
    expect(await read({})).toEqual({ announced: undefined });
    await vi.waitFor(() => {
      const line = gateway.records().find(({ trace }) => trace === 'with-trailers');
      expect(line).toMatchObject({ status: 200, end: 'complete' });
      expect(JSON.stringify(line)).toContain('"kind":"continued","path":"","from":0,"to":1,"cause":"stream-cut"');
    }, patience);
  });

  it('ends with the error of the first target if the second is down', async () => {
    second.handle((call) => call.json({ error: { message: 'It is down.' } }, { status: 503 }));
    const client = new OpenAI({ baseURL: gateway.baseUrl, apiKey: 'unused', defaultHeaders: defaultHeaders() });
    const read = async (): Promise<string> => {
      let text = '';
      for await (const chunk of await client.chat.completions.create({ model: 'm', messages, stream: true }))
        text += chunk.choices[0]?.delta.content ?? '';
      return text;
    };
    await expect(read()).rejects.toMatchObject({ message: expect.stringContaining('ended its stream') });
    second.handle(openaiWhole);
  });
});

describe('the usage of a continued stream', () => {
  it('is recorded for both attempts separately, and the client gets the sum', async () => {
    const limited = await limitedGateway();
    const other = await startUpstream(openaiWhole);
    await saveTarget(limited.gateway, { upstream: other, slug: 'second' });
    const policy = await makePolicy(limited.gateway, 'usage-limits', { type: 'tokens', credit_limit: 100_000 });
    const continued = {
      strategy: { mode: 'fallback', continue: true },
      targets: [{ provider: '@main' }, { provider: '@second' }],
    };
    const script = { pieces: 3, end: 'cut' } as const;
    const answer = await ask(limited.gateway, script, {
      ...limited.key,
      config: continued,
      stream: true,
      maxTokens: 500,
    });
    expect(await answer.text()).toMatch(/bridge\.[\s\S]*\[DONE\]\s*$/);
    const rows = (): readonly {
      readonly kind: string;
      readonly input_tokens: number;
      readonly output_tokens: number;
    }[] => {
      using db = new DatabaseSync(path.join(limited.gateway.folder, 'gateway.db'), { readOnly: true });
      return db.prepare('select kind, input_tokens, output_tokens from ledger').all() as never;
    };
    await vi.waitFor(
      () =>
        expect(
          rows()
            .map(({ kind }) => kind)
            .toSorted(),
        ).toEqual(['estimated', 'reported']),
      patience,
    );
    const sum = rows().reduce((total, each) => total + Number(each.input_tokens) + Number(each.output_tokens), 0);
    await vi.waitFor(async () => expect(await toSum(limited.gateway, policy)).toBe(sum), patience);
    expect(rows().find(({ kind }) => kind === 'reported')).toMatchObject({ input_tokens: 21, output_tokens: 9 });
    await other.close();
  });
});
