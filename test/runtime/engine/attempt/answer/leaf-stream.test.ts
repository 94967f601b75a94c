import { describe, expect, it } from 'vitest';
import type { Sink, StreamBody, StreamEnd } from '../../../../../plugins/sdk/http/http.ts';
import { LeafStream } from '../../../../../runtime/engine/attempt/answer/leaf-stream.ts';

const quiet: Sink = { write: () => true, onDrain: () => {}, end: () => {}, fail: () => {} };

/** A stream that ends when `end` is called, and records what happens to it. */
const inner = () => {
  const calls: string[] = [];
  let end = (_: StreamEnd): void => {};
  const body: StreamBody = {
    kind: 'stream',
    start: () => calls.push('started'),
    discard: () => calls.push('discarded'),
    onEnd: (listener) => {
      end = listener;
    },
  };
  return { body, calls, end: (how: StreamEnd) => end(how) };
};

describe("a leaf's stream", () => {
  it('reports the end of its upstream once to every listener, including late ones', () => {
    const { body, calls, end } = inner();
    const stream = new LeafStream(body);
    const ends: string[] = [];
    stream.onEnd((how) => ends.push(`a ${how}`));
    stream.onEnd((how) => ends.push(`b ${how}`));
    stream.start(quiet);
    expect(ends).toEqual([]);
    end('failed');
    end('complete');
    stream.onEnd((how) => ends.push(`late ${how}`));
    expect(ends).toEqual(['a failed', 'b failed', 'late failed']);
    expect(calls).toEqual(['started']);
  });

  it('ends as "left" if it is discarded, even if its upstream has ended', () => {
    const { body, calls, end } = inner();
    const stream = new LeafStream(body);
    const ends: StreamEnd[] = [];
    stream.onEnd((how) => ends.push(how));
    end('complete');
    stream.discard();
    expect(ends).toEqual(['left']);
    expect(calls).toEqual(['discarded']);
  });
});
