import { describe, expect, it } from 'vitest';
import type { Sink } from '../../../../../plugins/sdk/http/http.ts';
import { neverCancelled } from '../../../../../plugins/testkit/route/cancellation.ts';
import { createVirtualClock } from '../../../../../plugins/testkit/route/virtual-clock.ts';
import { Deadlines } from '../../../../../runtime/async/deadlines.ts';
import { RelayBody } from '../../../../../runtime/engine/attempt/answer/relay-body.ts';
import { AttemptScope } from '../../../../../runtime/engine/call/attempt-scope.ts';
import { createCountingCancellation } from '../../../../support/counting-cancellation.ts';
import { StubBody } from '../../../../support/stub-upstreams.ts';
import { recordingSink } from '../../../streams/kit.ts';

const relayed = (client = neverCancelled, isUploading = (): boolean => false) => {
  const clock = createVirtualClock();
  const upstream = new StubBody('');
  let source: Sink | undefined;
  upstream.start = (sink) => {
    source = sink;
  };
  const scope = new AttemptScope(client, { deadlines: new Deadlines(clock), timeoutMs: 100, attempt: 1 });
  const body = new RelayBody(upstream, { scope, clock, idleMs: 1000, isUploading });
  // As it is for an answer whose head has come.
  scope.disarm();
  return { body, clock, upstream, source: () => source };
};

describe('bytes that are relayed', () => {
  it('make the upstream wait while the client is full', () => {
    const { body, source } = relayed();
    const waiting: (() => void)[] = [];
    const written: string[] = [];
    body.start({
      write: (chunk) => {
        written.push(chunk.toString());
        return written.length > 1;
      },
      onDrain: (resume) => waiting.push(resume),
      end: () => {},
      fail: () => {},
    });
    let resumed = 0;
    const resume = (): void => {
      resumed += 1;
    };
    expect(source()?.write(Buffer.from('a'))).toBe(false);
    source()?.onDrain(resume);
    expect(source()?.write(Buffer.from('b'))).toBe(true);
    expect(written).toEqual(['a', 'b']);
    for (const drained of waiting) drained();
    expect(resumed).toBe(1);
  });

  it('let go of the client and the time when they have ended, and end once', () => {
    const client = createCountingCancellation();
    const { body, clock, source } = relayed(client.cancellation);
    const ends: string[] = [];
    body.onEnd((end) => ends.push(`a ${end}`));
    body.onEnd((end) => ends.push(`b ${end}`));
    let ended = 0;
    body.start({
      write: () => true,
      onDrain: () => {},
      end: () => {
        ended += 1;
      },
      fail: () => {},
    });
    source()?.end();
    expect(ended).toBe(1);
    expect(clock.pending).toBe(0);
    expect(client.listening).toBe(0);
    client.cancel();
    body.discard();
    body.onEnd((end) => ends.push(`late ${end}`));
    expect(ends).toEqual(['a complete', 'b complete', 'late complete']);
  });

  it('that are discarded stop, and count as left', () => {
    const { body, upstream, clock } = relayed();
    const ends: string[] = [];
    body.onEnd((end) => ends.push(end));
    body.discard();
    expect(ends).toEqual(['left']);
    expect(upstream.discarded).toBe(true);
    expect(clock.pending).toBe(0);
  });
});

describe('an answer that is passed through and falls silent', () => {
  const chunk = Buffer.from('x');

  it('is torn off after the idle time, counted from its last bytes, and its upstream is let go', async () => {
    const { body, clock, upstream, source } = relayed();
    const sink = recordingSink();
    const ends: string[] = [];
    body.onEnd((end) => ends.push(end));
    body.start(sink);
    clock.advance(900);
    source()?.write(chunk);
    clock.advance(999);
    expect([ends, upstream.discarded]).toEqual([[], false]);
    clock.advance(1);
    expect([ends, upstream.discarded, clock.pending]).toEqual([['failed'], true, 0]);
    expect(sink.error).toMatchObject({ code: 'stream-idle' });
  });

  it('is torn off though nothing of it ever came', () => {
    const { body, clock } = relayed();
    const sink = recordingSink();
    body.start(sink);
    clock.advance(1000);
    expect(sink.error?.code).toBe('stream-idle');
  });

  it('sets one timer, however many pieces come', () => {
    const { body, clock, source } = relayed();
    body.start(recordingSink());
    for (let piece = 0; piece < 100; piece += 1) source()?.write(chunk);
    expect(clock.pending).toBe(1);
    source()?.end();
    expect(clock.pending).toBe(0);
  });

  it('is not blamed for a client that does not read', () => {
    const { body, clock, source } = relayed();
    const sink = recordingSink();
    sink.full = true;
    body.start(sink);
    source()?.write(chunk);
    source()?.onDrain(() => {});
    clock.advance(100_000);
    expect(sink.error).toBeUndefined();
    sink.drain();
    clock.advance(2000);
    expect(sink.error?.code).toBe('stream-idle');
  });

  it('is not blamed while the request is still on its way', () => {
    let uploading = true;
    const { body, clock } = relayed(neverCancelled, () => uploading);
    const sink = recordingSink();
    body.start(sink);
    clock.advance(100_000);
    expect(sink.error).toBeUndefined();
    uploading = false;
    clock.advance(1000);
    expect(sink.error?.code).toBe('stream-idle');
  });
});
