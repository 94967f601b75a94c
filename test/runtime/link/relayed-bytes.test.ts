import { describe, expect, it } from 'vitest';
import type { Sink } from '../../../plugins/sdk/http.ts';
import { neverCancelled } from '../../../plugins/testing/cancellation.ts';
import { createVirtualClock } from '../../../plugins/testing/virtual-clock.ts';
import { AttemptScope } from '../../../runtime/link/attempt/attempt-scope.ts';
import { RelayBody } from '../../../runtime/link/attempt/relay-body.ts';
import { createCountingCancellation } from '../../support/counting-cancellation.ts';
import { StubBody } from '../../support/stub-upstreams.ts';

const relayed = (client = neverCancelled) => {
  const clock = createVirtualClock();
  const upstream = new StubBody('');
  let source: Sink | undefined;
  upstream.start = (sink) => {
    source = sink;
  };
  const body = new RelayBody(upstream, new AttemptScope(client, { clock, timeoutMs: 100, attempt: 1 }));
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
    const resume = (): void => {};
    expect(source()?.write(Buffer.from('a'))).toBe(false);
    source()?.onDrain(resume);
    expect(source()?.write(Buffer.from('b'))).toBe(true);
    expect(written).toEqual(['a', 'b']);
    expect(waiting).toEqual([resume]);
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

  it('that nobody wants stop, and count as left', () => {
    const { body, upstream, clock } = relayed();
    const ends: string[] = [];
    body.onEnd((end) => ends.push(end));
    body.discard();
    expect(ends).toEqual(['left']);
    expect(upstream.discarded).toBe(true);
    expect(clock.pending).toBe(0);
  });
});
