import { describe, expect, it } from 'vitest';
import { chat } from '../../../../plugins/dialects/chat/chat.ts';
import { messages } from '../../../../plugins/dialects/messages/messages.ts';
import type { Dialect } from '../../../../plugins/sdk/dialect/dialect.ts';
import { fail, type Guardrail, pass } from '../../../../plugins/sdk/guardrail/guardrail.ts';
import type { Answer } from '../../../../schema/conversation/answer.ts';
import { errorReport } from '../../../../schema/errors/errors.ts';
import { answerEvents } from '../../../plugins/dialects/support/answer-events.ts';
import { conversing, never, neverInWindows, runStream, type StreamRun, toBytes, toFrames, toReadable } from './kit.ts';

const toAnswer = (text: string): Answer => ({
  id: 'a1',
  model: 'm',
  created: 1,
  choices: [{ index: 0, parts: [{ kind: 'text', text }], finish: { reason: 'stop' } }],
  extensions: {},
});

const toStream = (dialect: Dialect, text: string): Buffer =>
  toBytes(dialect, toFrames(dialect, answerEvents(toAnswer(text), { size: 3 })));

const guarded = (more: object): object => ({ output_guardrails: [{ 'test.never': {}, ...more }] });
const denying = guarded({ deny: true });
const reporting = guarded({});

const run = (guardrail: Guardrail, config: object, more: Partial<StreamRun> = {}) => {
  const { client = chat, upstream = chat } = more;
  const chunks = more.chunks ?? [toStream(upstream, 'It is plutonium, and more of it than was thought.')];
  return runStream({ client, upstream, chunks, guardrails: [guardrail], config, ...more });
};

describe('a stream whose checks only report', () => {
  it.each(conversing.map((dialect) => [dialect.id, dialect] as const))(
    'is passed on unchanged: %s',
    async (_id, dialect) => {
      const chunks = [toStream(dialect, 'It is plutonium.')];
      const result = await run(never('plutonium'), reporting, { client: dialect, upstream: dialect, chunks });
      expect(result.status).toBe(200);
      expect(result.frames).toEqual(toFrames(dialect, answerEvents(toAnswer('It is plutonium.'), { size: 3 })));
      expect(result.trail.at(-1)).toEqual({ kind: 'checked', path: '', phase: 'output', result: 'failed' });
    },
  );

  it('ends with their results in a last event if its client is not strict', async () => {
    for (const [client, isNamed] of [
      [chat, false],
      [messages, true],
    ] as const) {
      const chunks = [toStream(client, 'It is plutonium.')];
      const { frames } = await run(never('plutonium'), reporting, {
        client,
        upstream: client,
        chunks,
        overrides: { strict: false },
      });
      const last = frames.at(-1);
      expect(last?.event).toBe(isNamed ? 'hook_results' : undefined);
      expect(JSON.parse(last?.data ?? '')).toMatchObject({
        hook_results: { after_request_hooks: [{ verdict: false, deny: false }] },
      });
      expect(JSON.stringify(frames.at(-2))).toMatch(/DONE|message_stop/);
    }
  });

  it('is not delayed by them', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow = never('x', { create: () => () => promise.then(() => pass()) });
    const seen: string[] = [];
    const running = run(slow, reporting, { onBytes: (bytes) => void seen.push(bytes.toString()) });
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect(seen.join('')).toContain('[DONE]');
    resolve();
    await running;
  });

  it('is not judged if it breaks off', async () => {
    const chunks = [toStream(chat, 'It is plutonium.').subarray(0, 700)];
    const { bytes, trail } = await run(never('plutonium'), reporting, { chunks, cut: errorReport('stream-cut', {}) });
    expect(bytes.toString()).toContain('stream_cut'.replace('_', '-'));
    expect(trail.some(({ kind }) => kind === 'checked')).toBe(false);
  });
});

describe('a stream that is judged in windows', () => {
  it('is sent while it arrives, as soon as a window is full', async () => {
    const seen: string[] = [];
    const chunks = toFrames(chat, answerEvents(toAnswer('It is water, and not plutonium.'), { size: 3 })).map((frame) =>
      toBytes(chat, [frame]),
    );
    const { promise: pause, resolve } = Promise.withResolvers<void>();
    const onBytes = (bytes: Buffer): void => {
      seen.push(bytes.toString());
      resolve();
    };
    // The upstream waits before its last chunk until the client has received something.
    const result = await run(neverInWindows('plutonium'), denying, { chunks, pause, onBytes });
    expect(seen[0]).toContain('It ');
    expect(toReadable(result.frames).join('')).toContain('It is water');
    expect(JSON.stringify(result.frames)).not.toContain('plu');
    expect(JSON.stringify(result.frames.at(-1))).toContain('denied this answer');
    // A strict client does not get a member that its stream does not have.
    expect(JSON.stringify(result.frames)).not.toContain('hook_results');
    expect(result.trail).toEqual([
      { kind: 'attempted', path: '', target: 'speaker', attempt: 1, status: 200, origin: 'upstream' },
      { kind: 'checked', path: '', phase: 'output', result: 'denied' },
      { kind: 'streamFailed', path: '', cause: 'checks-failed' },
    ]);
  });

  it('does not make its upstream wait for checks that answer at once', async () => {
    const whole = toStream(chat, 'Nothing in this text is of the kind that checks would want to see held back.');
    const chunks = Array.from({ length: Math.ceil(whole.length / 100) }, (_, at) =>
      whole.subarray(at * 100, at * 100 + 100),
    );
    const parts = { parts: () => ({ overlap: 8 }) };
    const asking = never('plutonium', { ...parts, create: () => () => Promise.resolve({ pass: true, data: {} }) });
    for (const [guardrail, waits] of [
      [neverInWindows('plutonium'), false],
      [asking, true],
    ] as const) {
      const { bodies, frames } = await run(guardrail, denying, { chunks });
      expect(toReadable(frames).join('')).toContain('held back.');
      expect(bodies.some((body) => body.waits > 0)).toBe(waits);
    }
  });

  it('reports to a client that is not strict why it ends', async () => {
    const chunks = [toStream(chat, 'It is water, and not plutonium.').subarray(0)];
    const { frames } = await run(neverInWindows('plutonium'), denying, { chunks, overrides: { strict: false } });
    expect(JSON.parse(frames.at(-2)?.data ?? '')).toMatchObject({
      hook_results: { after_request_hooks: [{ deny: true }] },
    });
  });

  it('is a 446, which can be retried, if it is denied before anything was sent', async () => {
    const chunks = [toStream(chat, 'plutonium')];
    const denied = await run(neverInWindows('plutonium'), denying, { chunks });
    expect([denied.status, denied.cause]).toEqual([446, 'checks-failed']);
    expect(JSON.parse(denied.bytes.toString())).toMatchObject({
      hook_results: { after_request_hooks: [{ deny: true }] },
    });
    expect(denied.bodies.map(({ isDiscarded }) => isDiscarded)).toEqual([true]);
    const retried = await run(
      neverInWindows('plutonium'),
      { ...denying, retry: { attempts: 1, on_status_codes: [446] } },
      { chunks },
    );
    expect(retried.trail.map(({ kind }) => kind)).toEqual(['attempted', 'checked', 'retried', 'attempted', 'checked']);
  });

  it('ends with an error, and without what was held, if its upstream breaks off', async () => {
    const chunks = [toStream(chat, 'It is water, and more of it than was thought.').subarray(0, 2500)];
    const { bytes, trail } = await run(neverInWindows('plutonium'), denying, {
      chunks,
      cut: errorReport('stream-cut', {}),
    });
    expect(bytes.toString()).toContain('stream-cut');
    expect(trail.at(-1)).toMatchObject({ kind: 'streamFailed', cause: 'stream-cut' });
  });

  it('is judged by a call of its second choice, not by what a client of one choice would get', async () => {
    const call = { kind: 'tool-call', id: 'c1', name: 'look', arguments: '{"half' } as const;
    const answer: Answer = {
      ...toAnswer(''),
      choices: [
        { index: 0, parts: [], finish: { reason: 'stop' } },
        { index: 1, parts: [call], finish: { reason: 'stop' } },
      ],
    };
    const chunks = [toBytes(chat, toFrames(chat, answerEvents(answer)))];
    const client = { client: messages, chunks };
    const readResult = async (word: string) =>
      (await run(neverInWindows(word), denying, client)).trail.find(({ kind }) => kind === 'checked');
    expect(await readResult('arguments')).toMatchObject({ result: 'passed' });
    expect(await readResult('half')).toMatchObject({ result: 'denied' });
  });

  it('is held instead if one check of a hook that may deny needs the whole text', async () => {
    const config = { output_guardrails: [{ 'test.never': {}, 'default.regexMatch': { rule: 'thought' }, deny: true }] };
    const chunks = [toStream(chat, 'It is water, and more of it than was known.')];
    expect((await run(neverInWindows('plutonium'), config, { chunks })).status).toBe(446);
  });
});

describe('a stream that is held until it is judged', () => {
  it('has status 246 if a check that does not deny failed beside one that passed', async () => {
    const config = {
      output_guardrails: [{ 'default.regexMatch': { rule: 'water' } }, { 'test.never': {}, deny: true }],
    };
    const { status, frames } = await run(never('nothing'), config);
    expect(status).toBe(246);
    expect(frames.at(-1)?.data).toBe('[DONE]');
  });

  it('is also held for a hook that denies on success', async () => {
    const { status } = await run(neverInWindows('water'), {
      output_guardrails: [{ 'test.never': {}, on_success: { deny: true } }],
    });
    expect(status).toBe(446);
  });

  it('is a network failure if its upstream breaks off, because nothing was sent', async () => {
    const chunks = [toStream(chat, 'It is water.').subarray(0, 900)];
    const { status, trail } = await run(never('x'), denying, { chunks, cut: errorReport('stream-cut', {}) });
    expect(status).toBe(502);
    expect(trail).toMatchObject([{ kind: 'attempted', status: 502, origin: 'network' }]);
  });

  it('continues if a check errs, unless the check is set to fail on errors', async () => {
    const config = { output_guardrails: [{ 'test.never': {}, deny: true }] };
    const throwing = never('x', {
      create: () => () => {
        throw new Error('no');
      },
    });
    expect((await run(throwing, config)).status).toBe(200);
    const strict = { output_guardrails: [{ 'test.never': { failOnError: true }, deny: true }] };
    expect((await run(throwing, strict)).status).toBe(446);
  });

  it('gets the verdict of checks that answer later', async () => {
    const later = never('x', { create: () => async () => fail('no') });
    expect((await run(later, denying)).status).toBe(446);
  });
});
