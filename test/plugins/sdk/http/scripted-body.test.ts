import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Sink, UpstreamBody } from '../../../../plugins/sdk/http/http.ts';
import { type BodyScript, scriptedBody } from '../../../../plugins/sdk/http/scripted-body.ts';
import { wait } from '../../../../plugins/sdk/time/wait.ts';
import { createCancellation, neverCancelled } from '../../../../plugins/testkit/route/cancellation.ts';
import { receiveBody } from '../../../../plugins/testkit/route/received-body.ts';
import { createVirtualClock } from '../../../../plugins/testkit/route/virtual-clock.ts';
import { errorReport } from '../../../../schema/errors/errors.ts';

const cut = errorReport('stream-cut', {});
const step = (text: string, waitMs = 0) => ({ bytes: Buffer.from(text), waitMs });

const make = (script: BodyScript, cancellation = neverCancelled) => {
  const clock = createVirtualClock();
  return { clock, body: scriptedBody(script, { timers: clock, cancellation }) };
};

const collected = async (body: UpstreamBody, limit = 1000): Promise<string> => {
  const got = await body.collect(limit);
  return got instanceof Uint8Array ? Buffer.from(got).toString() : got.error.code;
};

describe('scriptedBody', () => {
  it('delivers the whole body after the scripted delays', async () => {
    const { clock, body } = make({ steps: [step('a', 10), step('b'), step('c', 5)], end: 'complete' });
    expect((await clock.settle(receiveBody(body))).bytes.toString()).toBe('abc');
    expect(clock.monotonic()).toBe(15);
  });

  it('delivers the same bytes whether it is collected or streamed, in any number of steps', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.string()), fc.integer({ min: 0, max: 3 }), async (texts, waitMs) => {
        const script: BodyScript = { steps: texts.map((text) => step(text, waitMs)), end: 'complete' };
        const first = make(script);
        const second = make(script);
        expect(await first.clock.settle(collected(first.body, 1_000_000))).toBe(texts.join(''));
        expect((await second.clock.settle(receiveBody(second.body))).bytes.toString()).toBe(texts.join(''));
      }),
      { numRuns: 50 },
    ));

  it('fails as its script specifies', async () => {
    const { clock, body } = make({ steps: [step('a')], end: cut });
    const { bytes, failure } = await clock.settle(receiveBody(body));
    expect([bytes.toString(), failure]).toEqual(['a', cut]);
    expect(await collected(make({ steps: [step('a')], end: cut }).body)).toBe('stream-cut');
  });

  it('reports answer-too-large if the body exceeds the limit', async () => {
    const script: BodyScript = { steps: [step('ab'), step('cd')], end: 'complete' };
    expect(await collected(make(script).body, 4)).toBe('abcd');
    expect(await collected(make(script).body, 3)).toBe('answer-too-large');
  });

  it('waits until a full sink has drained', async () => {
    const { body } = make({ steps: [step('a'), step('b')], end: 'complete' });
    const heard: string[] = [];
    let drain = (): void => expect.unreachable();
    const sink: Sink = {
      write: (chunk) => heard.push(chunk.toString()) > 1,
      onDrain: (resume) => {
        drain = resume;
      },
      end: () => heard.push('end'),
      fail: () => expect.unreachable(),
    };
    body.start(sink);
    await Promise.resolve();
    expect(heard).toEqual(['a']);
    drain();
    expect(heard).toEqual(['a', 'b', 'end']);
  });

  it('stops for good when it is discarded', () => {
    const { clock, body } = make({ steps: [step('a', 10)], end: 'complete' });
    body.discard();
    clock.advance(100);
    expect(clock.pending).toBe(0);
  });

  it.each([
    ['during a wait', { steps: [step('a', 1000)], end: 'complete' }],
    ['during silence', { steps: [], end: 'silence' }],
  ] as const)('ends when it is cancelled %s', async (_, script) => {
    const { cancellation, cancel } = createCancellation();
    const { clock, body } = make(script, cancellation);
    const received = receiveBody(body);
    await Promise.resolve();
    cancel();
    expect((await received).failure?.code).toBe('connection-lost');
    expect(clock.pending).toBe(0);
  });
});

describe('wait', () => {
  it('resolves to true when the time is over', async () => {
    const clock = createVirtualClock();
    expect(await clock.settle(wait(5, clock, neverCancelled))).toBe(true);
    expect(clock.monotonic()).toBe(5);
  });

  it('resolves to false when it is cancelled before or during the wait', async () => {
    const clock = createVirtualClock();
    const { cancellation, cancel } = createCancellation();
    const waiting = wait(5, clock, cancellation);
    cancel();
    expect(await waiting).toBe(false);
    expect(await wait(5, clock, cancellation)).toBe(false);
    expect(clock.pending).toBe(0);
  });
});
