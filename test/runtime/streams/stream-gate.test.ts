import { describe, expect, it } from 'vitest';
import { chat } from '../../../plugins/dialects/chat/chat.ts';
import type { StreamBody, StreamEnd } from '../../../plugins/sdk/http/http.ts';
import { type GateOptions, type OpenedStream, openStream } from '../../../runtime/streams/stream-gate.ts';
import { type ErrorReport, errorReport } from '../../../schema/errors/errors.ts';
import {
  type CancelSource,
  cancelSource,
  type ManualClock,
  manualClock,
  recordingSink,
  type ScriptedBody,
  scriptedBody,
  tiny,
  tinyTranslation,
} from './kit.ts';

interface Bench {
  readonly body: ScriptedBody;
  readonly clock: ManualClock;
  readonly cancellation: CancelSource;
  readonly opened: Promise<OpenedStream>;
  readonly failures: ErrorReport[];
}

const bench = (options: Partial<GateOptions> = {}): Bench => {
  const body = scriptedBody();
  const clock = manualClock();
  const cancellation = cancelSource();
  const failures: ErrorReport[] = [];
  const opened = openStream({
    body,
    clock,
    cancellation,
    translation: { upstream: tiny, client: tiny },
    idleMs: 1000,
    onFailed: (cause) => void failures.push(cause),
    ...options,
  });
  return { body, clock, cancellation, opened, failures };
};

const translated = (): Partial<GateOptions> => ({
  translation: { upstream: tiny, client: tiny, translate: tinyTranslation() },
});

const readBody = async (opened: Promise<OpenedStream>): Promise<StreamBody> => {
  const stream = await opened;
  if (stream.kind !== 'open') throw new Error(stream.error.message);
  return stream.body;
};

const readRefusal = async (opened: Promise<OpenedStream>): Promise<Extract<OpenedStream, { kind: 'refused' }>> => {
  const stream = await opened;
  if (stream.kind !== 'refused') throw new Error('The stream was opened.');
  return stream;
};

const readEnd = (body: StreamBody): Promise<StreamEnd> => new Promise((resolve) => body.onEnd(resolve));

describe('before the answer begins', () => {
  it('an error event is a refusal with the message and the status of the provider', async () => {
    const { body, opened, failures } = bench();
    body.send('data: p\n\n');
    body.send('data: e:overloaded today\n\n');
    expect(await readRefusal(opened)).toMatchObject({
      error: { code: 'stream-error', status: 529 },
      wire: { message: 'overloaded today', type: 'overloaded' },
    });
    expect(body.isDiscarded).toBe(true);
    expect(failures).toEqual([]);
  });

  it.each(['end', 'cut'] as const)('a stream with an early %s of its upstream is refused', async (how) => {
    for (const sent of ['', 'data: p\n\n', 'data: p\n\ndata: c:half', '<html>']) {
      const { body, opened, clock } = bench();
      body.send(sent);
      body[how]();
      expect(await readRefusal(opened)).toMatchObject({ error: { code: 'stream-cut', status: 502 } });
      expect(clock.timers).toBe(0);
    }
  });

  it('a body that cannot be read is refused as such, and after that ends the answer as such', async () => {
    const unreadable = errorReport('unreadable-answer', { provider: 'acme', reason: 'incorrect header check.' });
    for (const sent of ['', 'data: p\n\n']) {
      const { body, opened, failures } = bench();
      body.send(sent);
      body.cut(unreadable);
      expect([(await readRefusal(opened)).error, failures]).toEqual([unreadable, []]);
    }
    const { body, opened, failures } = bench();
    body.send('data: c:a\n\n');
    const sink = recordingSink();
    (await readBody(opened)).start(sink);
    body.cut(unreadable);
    expect([failures, sink.text]).toEqual([[unreadable], 'data: c:a\n\ndata: e:unreadable-answer\n\n']);
  });

  it('a cancellation is a refusal, and stops the upstream at once', async () => {
    const { body, opened, cancellation } = bench();
    body.send('data: p\n\n');
    cancellation.cancel();
    expect(body.isDiscarded).toBe(true);
    expect((await readRefusal(opened)).error.code).toBe('stream-cut');
  });

  it('more than 1 MiB of preamble is refused', async () => {
    const { body, opened } = bench();
    for (let round = 0; round < 17; round += 1) body.send(`data: p${'x'.repeat(64 * 1024)}\n\n`);
    expect((await readRefusal(opened)).error.code).toBe('answer-too-large');
  });

  it('a frame that never ends is refused', async () => {
    const { body, opened } = bench();
    for (let round = 0; round < 17; round += 1) body.send('x'.repeat(64 * 1024));
    expect((await readRefusal(opened)).error.code).toBe('answer-too-large');
  });

  it('a chunk that cannot be decoded is refused, and the error names its provider', async () => {
    const { body, opened } = bench({ ...translated(), provider: 'acme' });
    body.send('data: boom\n\n');
    const { error } = await readRefusal(opened);
    expect(error.code).toBe('unreadable-answer');
    expect(error.message).toContain('The answer of acme does not follow its documented format: not a chunk.');
  });
});

describe('an answer', () => {
  it('is forwarded byte for byte and chunk for chunk, including preamble, comments and odd line ends', async () => {
    const { body, opened } = bench();
    const chunks = [': hello\r\n\r\ndata: p\r\n\r\n', 'data: c:one\r\n\r\n', 'data: c:é🎉\n\n', 'data: z\n\n'];
    for (const chunk of chunks.slice(0, 2)) body.send(chunk);
    const sink = recordingSink();
    const stream = await readBody(opened);
    stream.start(sink);
    for (const chunk of chunks.slice(2)) body.send(chunk);
    body.end();
    expect(await readEnd(stream)).toBe('complete');
    expect(sink.text).toBe(chunks.join(''));
    expect(sink.writes).toBe(3);
    expect(body.isDiscarded).toBe(false);
  });

  it('without any content is opened and complete', async () => {
    const { body, opened } = bench();
    body.send('data: p\n\ndata: z\n\n');
    body.end();
    const stream = await readBody(opened);
    const sink = recordingSink();
    stream.start(sink);
    expect([await sink.ended, sink.text, await readEnd(stream)]).toEqual(['end', 'data: p\n\ndata: z\n\n', 'complete']);
  });

  it('whose last event lacks its empty line is complete, and gets the line', async () => {
    const { body, opened } = bench();
    body.send('data: c:x\n\ndata: z\n');
    body.end();
    const stream = await readBody(opened);
    const sink = recordingSink();
    stream.start(sink);
    expect([sink.text, await readEnd(stream)]).toEqual(['data: c:x\n\ndata: z\n\n', 'complete']);
  });

  it('is translated if the dialects differ, and ends as the client expects', async () => {
    const { body, opened } = bench(translated());
    body.send('data: p\n\ndata: c:a\n\ndata: c:b\n\n');
    const stream = await readBody(opened);
    const sink = recordingSink();
    stream.start(sink);
    body.send('data: z\n\n');
    body.send('data: u:3\n\n');
    body.end();
    expect(sink.text).toBe('data: C:a\n\ndata: C:b\n\ndata: [DONE]\n\n');
    expect(await readEnd(stream)).toBe('complete');
  });

  it('has the prefix before its first event', async () => {
    const { body, opened } = bench({ prefix: { data: '{"hook_results":{}}' } });
    body.send('data: c:a\n\n');
    const sink = recordingSink();
    (await readBody(opened)).start(sink);
    expect(sink.text).toBe('data: {"hook_results":{}}\n\ndata: c:a\n\n');
  });

  it('that is not started yet pauses the upstream after 64 KiB', async () => {
    const { body, opened } = bench();
    body.send('data: c:x\n\n');
    const stream = await readBody(opened);
    body.send(`data: c:${'y'.repeat(70_000)}\n\n`);
    expect(body.isPaused).toBe(true);
    const sink = recordingSink();
    stream.start(sink);
    expect(body.isPaused).toBe(false);
    expect(sink.bytes.length).toBeGreaterThan(70_000);
  });

  it('pauses the upstream while its sink is full', async () => {
    const { body, opened, clock } = bench();
    body.send('data: c:x\n\n');
    const sink = recordingSink();
    sink.full = true;
    (await readBody(opened)).start(sink);
    body.send('data: c:y\n\n');
    expect(body.isPaused).toBe(true);
    clock.advance(60_000);
    expect(sink.text).not.toContain('e:');
    sink.drain();
    expect(body.isPaused).toBe(false);
  });
});

describe('after the answer has begun', () => {
  const translations = [
    { translation: 'raw', options: {}, error: 'data: e:stream-cut\n\n', sent: 'data: c:x\n\n' },
    { translation: 'translated', options: translated(), error: 'data: E:stream-cut\n\n', sent: 'data: C:x\n\n' },
  ];

  it.each(translations)(
    'a cut becomes an error event on the $translation translation, after complete events only',
    async ({ options, error, sent }) => {
      const { body, opened, failures, clock } = bench(options);
      body.send('data: c:x\n\ndata: c:torn');
      const stream = await readBody(opened);
      const sink = recordingSink();
      stream.start(sink);
      body.cut();
      expect([sink.text, await sink.ended, await readEnd(stream)]).toEqual([sent + error, 'end', 'failed']);
      expect(failures).toMatchObject([{ code: 'stream-cut' }]);
      expect(clock.timers).toBe(0);
    },
  );

  it('a clean end of the transfer without the end of the answer is a cut', async () => {
    const { body, opened, failures } = bench();
    body.send('data: c:x\n\n');
    body.end();
    const stream = await readBody(opened);
    const sink = recordingSink();
    stream.start(sink);
    expect([sink.text, await readEnd(stream)]).toEqual(['data: c:x\n\ndata: e:stream-cut\n\n', 'failed']);
    expect(failures).toHaveLength(1);
  });

  it("an upstream's error event is forwarded as received, and nothing after it", async () => {
    const { body, opened, failures } = bench();
    body.send('data: c:x\n\n');
    const stream = await readBody(opened);
    const sink = recordingSink();
    stream.start(sink);
    body.send('data: c:y\n\nevent: error\ndata: e:broken\n\ndata: z\n\n');
    expect(sink.text).toBe('data: c:x\n\ndata: c:y\n\nevent: error\ndata: e:broken\n\n');
    expect(await readEnd(stream)).toBe('failed');
    expect(body.isDiscarded).toBe(true);
    expect(failures).toMatchObject([{ code: 'stream-error' }]);
    expect(failures[0]?.message).toContain('broken.');
  });

  it("an upstream's error event that lacks its empty line is completed", async () => {
    const { body, opened } = bench();
    body.send('data: c:x\n\ndata: e:broken\n');
    body.end();
    const stream = await readBody(opened);
    const sink = recordingSink();
    stream.start(sink);
    expect(sink.text).toMatch(/^data: c:x\n\ndata: e:broken\n+\n$/);
    expect(await readEnd(stream)).toBe('failed');
  });

  it("an upstream's error event in the chunk of the first content is forwarded too", async () => {
    const { body, opened } = bench(translated());
    body.send('data: c:x\n\ndata: e:broken\n\n');
    const stream = await readBody(opened);
    const sink = recordingSink();
    stream.start(sink);
    expect([sink.text, await readEnd(stream)]).toEqual(['data: C:x\n\ndata: E:broken\n\n', 'failed']);
  });

  it('silence ends it, measured from the last bytes', async () => {
    const { body, opened, clock, failures } = bench();
    body.send('data: c:x\n\n');
    const stream = await readBody(opened);
    const sink = recordingSink();
    stream.start(sink);
    clock.advance(900);
    body.send(': still here\n\n');
    clock.advance(999);
    expect(failures).toEqual([]);
    clock.advance(1);
    expect(failures).toMatchObject([{ code: 'stream-idle' }]);
    expect(sink.text.endsWith('data: e:stream-idle\n\n')).toBe(true);
    expect(body.isDiscarded).toBe(true);
    expect(await readEnd(stream)).toBe('failed');
  });

  it('an answer with all of its frames is complete even if its upstream does not close', async () => {
    const { body, opened, clock } = bench();
    body.send('data: c:x\n\ndata: z\n\n');
    const stream = await readBody(opened);
    const sink = recordingSink();
    stream.start(sink);
    clock.advance(1_000);
    expect([await readEnd(stream), sink.text]).toEqual(['complete', 'data: c:x\n\ndata: z\n\n']);
    expect(body.isDiscarded).toBe(true);
  });

  const chunkOf = (members: object): string =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: null, ...members }] })}\n\n`;
  const saying = chunkOf({ delta: { content: 'hi' } });
  const finishing = chunkOf({ finish_reason: 'stop' });

  it.each([
    { translation: 'raw', options: {}, sent: ['data: c:x\n\n', 'data: z\n\n'] },
    { translation: 'translated', options: translated(), sent: ['data: c:x\n\n', 'data: z\n\n'] },
    {
      translation: 'unread',
      options: { translation: { upstream: chat, client: chat } },
      sent: [saying, saying, finishing, 'data: [DONE]\n\n'],
    },
  ])('an upstream that continues after its last frame is abandoned on the $translation translation', async (row) => {
    const { body, opened, clock, failures } = bench({ idleMs: 60_000, ...row.options });
    for (const frame of row.sent) body.send(frame);
    const stream = await readBody(opened);
    const sink = recordingSink();
    stream.start(sink);
    for (let round = 0; round < 21; round += 1) {
      body.send(': still here\n\n');
      clock.advance(500);
    }
    expect([body.isDiscarded, failures, await sink.ended, await readEnd(stream)]).toEqual([
      true,
      [],
      'end',
      'complete',
    ]);
  });

  it('what arrives soon after the last frame is part of the answer, and its connection is kept', async () => {
    const { body, opened, clock } = bench({ idleMs: 60_000, translation: { upstream: chat, client: chat } });
    const sent = [saying, finishing, 'data: [DONE]\n\n', 'data: {"choices":[],"usage":{"total_tokens":3}}\n\n'];
    for (const frame of sent.slice(0, 3)) body.send(frame);
    const stream = await readBody(opened);
    const sink = recordingSink();
    stream.start(sink);
    clock.advance(4_000);
    body.send(sent[3] ?? '');
    body.end();
    clock.advance(60_000);
    expect([sink.text, await readEnd(stream), body.isDiscarded]).toEqual([sent.join(''), 'complete', false]);
    expect(clock.timers).toBe(0);
  });

  it('an upstream that continues after its last frame is not abandoned while its client reads nothing', async () => {
    const { body, opened, clock } = bench({ idleMs: 60_000 });
    body.send('data: c:x\n\n');
    const sink = recordingSink();
    sink.full = true;
    const stream = await readBody(opened);
    stream.start(sink);
    body.send('data: z\n\n');
    clock.advance(10_000);
    expect(body.isDiscarded).toBe(false);
    sink.drain();
    clock.advance(10_000);
    expect([body.isDiscarded, await readEnd(stream)]).toEqual([true, 'complete']);
  });

  it.each([
    { translation: 'raw', options: {} },
    { translation: 'translated', options: translated() },
  ])('a cut after the last frame is not a failure on the $translation translation', async ({ options }) => {
    const { body, opened, failures } = bench(options);
    body.send('data: c:x\n\ndata: z\n\ndata: to');
    const stream = await readBody(opened);
    stream.start(recordingSink());
    body.cut();
    expect([await readEnd(stream), failures]).toEqual(['complete', []]);
  });

  it('a cut after a finish reason but before the last frame is a failure, and a clean end there is not', async () => {
    const choice = { index: 0, delta: { content: 'hi' }, finish_reason: null };
    const chunk = (members: object): string => `data: ${JSON.stringify({ choices: [{ ...choice, ...members }] })}\n\n`;
    for (const [how, end] of [
      ['cut', 'failed'],
      ['end', 'complete'],
    ] as const) {
      const { body, opened } = bench({ translation: { upstream: chat, client: chat } });
      body.send(chunk({}) + chunk({ delta: {}, finish_reason: 'stop' }));
      const stream = await readBody(opened);
      const sink = recordingSink();
      stream.start(sink);
      body[how]();
      expect(await readEnd(stream)).toBe(end);
      expect(sink.text.includes('"error"')).toBe(end === 'failed');
      expect(sink.text).not.toContain('[DONE]');
    }
  });

  it('an upstream that ends its answer with a choice unfinished is a cut', async () => {
    const { body, opened } = bench(translated());
    body.send('data: c:x\n\n');
    const stream = await readBody(opened);
    const sink = recordingSink();
    stream.start(sink);
    body.send('data: z:torn\n\n');
    expect([sink.text, await readEnd(stream)]).toEqual(['data: C:x\n\ndata: E:stream-cut\n\n', 'failed']);
  });

  it('an upstream that finishes every choice and then ends is complete if it is translated', async () => {
    const { body, opened } = bench(translated());
    body.send('data: c:x\n\ndata: z:finish\n\n');
    body.end();
    const sink = recordingSink();
    const stream = await readBody(opened);
    stream.start(sink);
    expect([sink.text, await readEnd(stream)]).toEqual(['data: C:x\n\ndata: [DONE]\n\n', 'complete']);
  });

  it('a client that disconnects stops the upstream at once, and is not a failure', async () => {
    const { body, opened, cancellation, failures, clock } = bench();
    body.send('data: c:x\n\n');
    const stream = await readBody(opened);
    stream.start(recordingSink());
    cancellation.cancel();
    expect([body.isDiscarded, await readEnd(stream), failures.length]).toEqual([true, 'left', 0]);
    expect([clock.timers, cancellation.listeners]).toEqual([0, 0]);
  });

  it('a stream that is discarded stops the upstream', async () => {
    const { body, opened, clock } = bench();
    body.send('data: c:x\n\n');
    const stream = await readBody(opened);
    stream.discard();
    expect([body.isDiscarded, await readEnd(stream), clock.timers]).toEqual([true, 'left', 0]);
  });

  it('a chunk that cannot be decoded is reported in band', async () => {
    const { body, opened } = bench(translated());
    body.send('data: c:x\n\n');
    const stream = await readBody(opened);
    const sink = recordingSink();
    stream.start(sink);
    body.send('data: boom\n\n');
    expect([sink.text, await readEnd(stream)]).toEqual(['data: C:x\n\ndata: E:unreadable-answer\n\n', 'failed']);
  });

  it('a frame larger than 4 MiB ends it', async () => {
    const { body, opened, failures } = bench();
    body.send('data: c:x\n\ndata: c:');
    (await readBody(opened)).start(recordingSink());
    for (let round = 0; round < 65; round += 1) body.send('x'.repeat(64 * 1024));
    expect(failures).toMatchObject([{ code: 'answer-too-large' }]);
  });
});
