import { describe, expect, it } from 'vitest';
import type { Step } from '../../../plugins/sdk/hooks/hooks.ts';
import type { LinkedStage } from '../../../runtime/streams/stage-queue.ts';
import { openStream, type StreamTranslation } from '../../../runtime/streams/stream-gate.ts';
import type { AnswerEvent } from '../../../schema/conversation/answer.ts';
import { errorReport } from '../../../schema/errors/errors.ts';
import { cancelSource, manualClock, recordingSink, scriptedBody, tiny, tinyTranslation } from './kit.ts';

const all: LinkedStage['reads'] = ['text', 'finish', 'end'];
const release: Step = { do: 'release' };
const refuse: Step = { do: 'refuse', report: errorReport('checks-failed', { phase: 'answer' }) };

/** Creates a stage that returns what the test decides for each event. */
const toStage = (push: (event: AnswerEvent) => Step | Promise<Step>, more: Partial<LinkedStage> = {}): LinkedStage => ({
  reads: all,
  holds: 'all',
  push,
  end: () => release,
  ...more,
});

const bench = (stages: readonly LinkedStage[], translated = false) => {
  const body = scriptedBody();
  const clock = manualClock();
  const cancellation = cancelSource();
  const seen: string[] = [];
  const translation: StreamTranslation = {
    upstream: tiny,
    client: tiny,
    ...(translated ? { translate: tinyTranslation() } : {}),
    staging: { ...tinyTranslation(), stages },
  };
  const opened = openStream({
    body,
    translation,
    clock,
    idleMs: 1000,
    cancellation,
    onBegun: () => seen.push('begun'),
    onFailed: ({ code }) => seen.push(code),
  });
  return { body, clock, cancellation, opened, seen };
};

const started = async (opened: ReturnType<typeof openStream>) => {
  const stream = await opened;
  if (stream.kind === 'refused') throw new Error(stream.error.code);
  const sink = recordingSink();
  stream.body.start(sink);
  return sink;
};

const toText = (event: AnswerEvent): string => (event.kind === 'text' ? event.text : event.kind);

describe('a stage of a stream that returns', () => {
  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a misspelt decision', { do: 'relase' }],
    ['a replacement without events', { do: 'replace' }],
    ['a promise of nothing', Promise.resolve(undefined)],
  ])('%s fails its stream, and the error says so', async (_, step) => {
    // A plugin that was not type-checked can return anything.
    const { body, opened } = bench([toStage(() => step as unknown as Step)]);
    body.send('data: c:one\n\n');
    expect(await opened).toMatchObject({
      kind: 'refused',
      error: { message: expect.stringContaining("a plugin's, returned something other than a step") },
    });
  });
});

describe('a stage of a stream', () => {
  it('receives the events that it reads, in order', async () => {
    const seen: string[] = [];
    const { body, opened } = bench([
      toStage((event) => {
        seen.push(toText(event));
        return release;
      }),
    ]);
    body.send('data: p\n\ndata: c:one\n\ndata: c:two\n\ndata: z\n\n');
    body.end();
    const sink = await started(opened);
    await sink.ended;
    expect(seen).toEqual(['one', 'two', 'finish', 'end']);
    expect(sink.text).toBe('data: p\n\ndata: c:one\n\ndata: c:two\n\ndata: z\n\n');
  });

  it('that takes time pauses the upstream, and what arrives meanwhile waits for it', async () => {
    const decisions: (() => void)[] = [];
    const { body, opened } = bench([toStage(() => new Promise((settle) => decisions.push(() => settle(release))))]);
    body.send('data: c:one\n\n');
    expect(body.isPaused).toBe(true);
    body.send('data: c:two\n\ndata: z\n\n');
    body.end();
    expect(decisions).toHaveLength(1);
    for (let next = decisions.shift(); next !== undefined; next = decisions.shift()) {
      next();
      await new Promise(setImmediate);
    }
    const sink = await started(opened);
    expect(await sink.ended).toBe('end');
    expect(sink.text).toBe('data: c:one\n\ndata: c:two\n\ndata: z\n\n');
  });

  it('resumes the upstream once it has decided', async () => {
    const { promise, resolve } = Promise.withResolvers<Step>();
    const { body, opened } = bench([toStage(() => promise)]);
    body.send('data: c:one\n\n');
    expect(body.isPaused).toBe(true);
    resolve(release);
    await started(opened);
    expect(body.isPaused).toBe(false);
  });

  it('can release a part of what it holds', async () => {
    const { body, opened } = bench([toStage(() => ({ do: 'release', keep: 1 }))]);
    body.send('data: c:one\n\ndata: c:two\n\ndata: c:three\n\n');
    const sink = await started(opened);
    expect(sink.text).toBe('data: c:one\n\ndata: c:two\n\n');
    body.send('data: z\n\n');
    body.end();
    await sink.ended;
    expect(sink.text).toContain('three\n\ndata: z\n\n');
  });

  it.each([false, true])(
    'that refuses before anything was sent prevents the answer (translated: %s)',
    async (translated) => {
      const { body, opened, seen } = bench(
        [toStage((event) => (event.kind === 'end' ? refuse : { do: 'hold' }))],
        translated,
      );
      body.send('data: c:secret\n\n');
      expect(seen).toEqual(['begun']);
      body.send('data: z\n\n');
      expect(await opened).toMatchObject({ kind: 'refused', error: { code: 'checks-failed', status: 446 } });
      expect(body.isDiscarded).toBe(true);
    },
  );

  it('that refuses later ends the stream with an error, and stops the upstream', async () => {
    const { body, opened, seen } = bench([toStage((event) => (toText(event) === 'secret' ? refuse : release))]);
    body.send('data: c:fine\n\n');
    const sink = await started(opened);
    body.send('data: c:secret\n\ndata: c:more\n\n');
    expect(sink.text).toBe('data: c:fine\n\ndata: e:checks-failed\n\n');
    expect(body.isDiscarded).toBe(true);
    expect(seen).toEqual(['begun', 'checks-failed']);
  });

  it('holds at most one mebibyte', async () => {
    const { body, opened } = bench([toStage(() => ({ do: 'hold' }))]);
    for (let sent = 0; sent < 3; sent += 1) body.send(`data: c:${'x'.repeat(400_000)}\n\n`);
    expect(await opened).toMatchObject({ kind: 'refused', error: { code: 'answer-too-large' } });
  });

  it('discards what it holds if the upstream fails', async () => {
    const { body, opened } = bench([toStage((event) => (toText(event) === 'one' ? release : { do: 'hold' }))]);
    body.send('data: c:one\n\ndata: c:two\n\n');
    const sink = await started(opened);
    body.cut();
    await sink.ended;
    expect(sink.text).toBe('data: c:one\n\ndata: e:stream-cut\n\n');
  });

  it('that fails, or holds what it declared not to hold, ends the stream with an error', async () => {
    const throws = (): never => {
      throw new Error('no');
    };
    const faulty: readonly LinkedStage[] = [
      toStage(throws),
      toStage(() => Promise.reject(new Error('no'))),
      toStage(() => ({ do: 'hold' }), { holds: 'none' }),
      toStage(() => ({ do: 'hold' }), { end: () => ({ do: 'hold' }) }),
      toStage(() => ({ do: 'hold' }), { end: throws }),
    ];
    for (const stage of faulty) {
      const { body, opened } = bench([stage]);
      body.send('data: c:one\n\ndata: z\n\n');
      body.end();
      expect(await opened).toMatchObject({ kind: 'refused', error: { code: 'unreadable-answer' } });
    }
  });

  it('receives nothing more if the client disconnects while it decides', async () => {
    const { body, opened, cancellation } = bench([toStage(() => new Promise(() => {}))]);
    body.send('data: c:one\n\n');
    cancellation.cancel();
    expect(await opened).toMatchObject({ kind: 'refused' });
    expect(body.isDiscarded).toBe(true);
  });

  it('may take longer than an upstream may be silent', async () => {
    const { promise, resolve } = Promise.withResolvers<Step>();
    const { body, opened, clock } = bench([toStage(() => promise)]);
    body.send('data: c:one\n\n');
    clock.advance(5000);
    resolve(release);
    const sink = await started(opened);
    expect(sink.text).toBe('data: c:one\n\n');
    clock.advance(1000);
    expect(sink.text).toContain('e:stream-idle');
  });

  it('that holds everything does not let the upstream be silent for too long', async () => {
    const { body, opened, clock } = bench([toStage(() => ({ do: 'hold' }))]);
    body.send('data: c:one\n\n');
    clock.advance(1000);
    expect(await opened).toMatchObject({ kind: 'refused', error: { code: 'stream-idle' } });
  });

  it('passes what it created to the next stage', async () => {
    const louder = toStage((event) =>
      event.kind === 'text' ? { do: 'replace', events: [{ ...event, text: event.text.toUpperCase() }] } : release,
    );
    const seen: string[] = [];
    const last = toStage((event) => {
      seen.push(toText(event));
      return release;
    });
    const { body, opened } = bench([louder, last]);
    body.send('data: c:one\n\ndata: z\n\n');
    body.end();
    const sink = await started(opened);
    await sink.ended;
    expect(seen).toEqual(['ONE', 'finish', 'end']);
    expect(sink.text).toBe('data: C:ONE\n\ndata: [DONE]\n\n');
  });
});
