import { describe, expect, it } from 'vitest';
import type { Sink } from '../../../../../plugins/sdk/http/http.ts';
import { neverCancelled } from '../../../../../plugins/testkit/route/cancellation.ts';
import { createVirtualClock } from '../../../../../plugins/testkit/route/virtual-clock.ts';
import { Deadlines } from '../../../../../runtime/async/deadlines.ts';
import { RelayBody } from '../../../../../runtime/engine/attempt/answer/relay-body.ts';
import { AttemptScope } from '../../../../../runtime/engine/call/attempt-scope.ts';
import { errorReport } from '../../../../../schema/errors/errors.ts';
import { createCountingCancellation } from '../../../../support/in-process/counting-cancellation.ts';
import { StubBody } from '../../../../support/in-process/stub-upstreams.ts';
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
  // As for an answer whose head has arrived.
  scope.disarm();
  return { body, clock, upstream, source: () => source };
};

describe('relayed bytes', () => {
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

  it('release the client and the timer when they have ended, and end only once', () => {
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

  it('stop and count as left when they are discarded', () => {
    const { body, upstream, clock } = relayed();
    const ends: string[] = [];
    body.onEnd((end) => ends.push(end));
    body.discard();
    expect(ends).toEqual(['left']);
    expect(upstream.discarded).toBe(true);
    expect(clock.pending).toBe(0);
  });
});

describe('a passed-through answer that falls silent', () => {
  const chunk = Buffer.from('x');

  it('is aborted when the idle time since its last bytes has passed, and its upstream is discarded', async () => {
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
    expect(sink.error).toEqual(errorReport('stream-idle', { ms: 1000 }));
  });

  it('is aborted even if none of it ever arrived', () => {
    const { body, clock } = relayed();
    const sink = recordingSink();
    body.start(sink);
    clock.advance(1000);
    expect(sink.error?.code).toBe('stream-idle');
  });

  it('sets one timer, however many pieces arrive', () => {
    const { body, clock, source } = relayed();
    body.start(recordingSink());
    for (let piece = 0; piece < 100; piece += 1) source()?.write(chunk);
    expect(clock.pending).toBe(1);
    source()?.end();
    expect(clock.pending).toBe(0);
  });

  it('does not time out while the client does not read', () => {
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

  it('has been silent only since the client could read again', () => {
    const { body, clock, source } = relayed();
    const sink = recordingSink();
    sink.full = true;
    body.start(sink);
    source()?.write(chunk);
    source()?.onDrain(() => {});
    clock.advance(900);
    sink.drain();
    clock.advance(999);
    expect(sink.error).toBeUndefined();
    clock.advance(1);
    expect(sink.error?.code).toBe('stream-idle');
  });

  it('does not time out while the request is still being uploaded', () => {
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
