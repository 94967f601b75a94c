import { describe, expect, it } from 'vitest';
import type { Route } from '../../../../../plugins/sdk/exchange/exchange.ts';
import { definePlugin } from '../../../../../plugins/sdk/plugin/plugin.ts';
import { receiveBody } from '../../../../../plugins/testkit/route/received-body.ts';
import type { AnswerMemory } from '../../../../../runtime/engine/call/answer-bounds.ts';
import { runConfig } from '../../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../../support/in-process/sample-exchange.ts';
import { StubBody } from '../../../../support/in-process/stub-upstreams.ts';

const mebibyte = 1024 * 1024;
const headers = ['content-type', 'text/event-stream'];

const chat = { operation: 'converse', dialect: 'chat' } as const;
const images = { operation: 'image', dialect: 'images' } as const;

const said = (content: string, finish: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: finish }] })}\n\n`;
const drawn = (picture: string): string =>
  `event: image_generation.completed\ndata: ${JSON.stringify({ type: 'image_generation.completed', b64_json: picture })}\n\n`;

/** Holds the whole stream back until it has ended. */
const holding = definePlugin({
  name: 'holding',
  apply: (hooks) =>
    hooks.stream.tap('t', (stages) => {
      const create = () => ({ push: () => ({ do: 'hold' }) as const, end: () => ({ do: 'release' }) as const });
      stages.push({ reads: ['text'], holds: 'all', create });
    }),
});

interface Streamed {
  readonly route: Route;
  readonly chunks: readonly string[];
  readonly isHeld?: boolean;
  readonly answerMemory?: AnswerMemory;
}

/** Returns how the stream of these chunks ends for its client, and the code of its error. */
const stream = async ({ route, chunks, isHeld = false, ...memory }: Streamed) => {
  const body = new StubBody('');
  body.start = (sink) => {
    for (const chunk of chunks) sink.write(Buffer.from(chunk));
    sink.end();
  };
  const { handle, clock } = runConfig(
    { provider: 'openai', api_key: '${env:KEY}' },
    {
      upstream: () => ({ kind: 'answer', status: 200, headers, body }),
      plugins: isHeld ? [holding] : [],
      ...memory,
    },
  );
  const asked = { model: 'm', messages: [{ role: 'user', content: 'hi' }], prompt: 'a cat', stream: true };
  const response = await handle(sampleExchange(asked, { route }));
  const ends: string[] = [];
  if (response.body.kind === 'stream') response.body.onEnd((end) => ends.push(end));
  const { bytes } = await clock.settle(receiveBody(response.body));
  const [, code] = /"code":"([a-z-]+)"/.exec(Buffer.from(bytes).toString()) ?? [];
  return { status: response.status, ends, code };
};

/** The halves of a text, because only what is incomplete is held. */
const halves = (text: string): readonly string[] => [text.slice(0, text.length / 2), text.slice(text.length / 2)];

describe('a frame of a stream', () => {
  it('may have 4 MiB if it is text', async () => {
    const frames = (size: number) => [said('first'), ...halves(said('x'.repeat(size))), said('', 'stop')];
    expect(await stream({ route: chat, chunks: frames(3 * mebibyte) })).toMatchObject({ ends: ['complete'] });
    expect(await stream({ route: chat, chunks: frames(9 * mebibyte) })).toMatchObject({ ends: ['failed'] });
  });

  it('may be as large as a whole answer if it is an image', async () => {
    expect(await stream({ route: images, chunks: halves(drawn('x'.repeat(9 * mebibyte))) })).toMatchObject({
      ends: ['complete'],
    });
  });
});

describe('a stream that is held back', () => {
  const chunks = [said('x'.repeat(100_000)), said('', 'stop'), 'data: [DONE]\n\n'];

  it('takes memory for its request', async () => {
    const taken: string[] = [];
    const answerMemory: AnswerMemory = {
      take: (bytes, { traceId }) => taken.push(`${traceId} ${bytes > 100_000}`) > 0,
    };
    expect(await stream({ route: chat, chunks, isHeld: true, answerMemory })).toMatchObject({ ends: ['complete'] });
    expect(taken[0]).toBe('trace true');
  });

  it('is refused without memory for it', async () => {
    expect(await stream({ route: chat, chunks, isHeld: true, answerMemory: { take: () => false } })).toEqual({
      status: 503,
      ends: [],
      code: 'overloaded',
    });
  });

  it('takes no memory that is unlimited', async () => {
    expect(await stream({ route: chat, chunks, isHeld: true })).toMatchObject({ ends: ['complete'] });
  });
});
