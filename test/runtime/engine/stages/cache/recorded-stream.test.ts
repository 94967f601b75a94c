import { describe, expect, it } from 'vitest';
import type { Sink, StreamBody, StreamEnd } from '../../../../../plugins/sdk/http/http.ts';
import { StreamEnding } from '../../../../../runtime/engine/attempt/answer/stream-ending.ts';
import { ByteBudget } from '../../../../../runtime/engine/plugin-caches/byte-budget.ts';
import { RecordedStream } from '../../../../../runtime/engine/stages/cache/recorded-stream.ts';
import { errorReport } from '../../../../../schema/errors/errors.ts';

const cut = errorReport('stream-cut', {});

/** A stream that the test sends through a recording, and the results. */
const recording = (most = 1000, budget = new ByteBudget(10_000)) => {
  const ending = new StreamEnding();
  const recorded: string[] = [];
  const sent: string[] = [];
  let upstream: Sink | undefined;
  let isFull = false;
  const drains: (() => void)[] = [];
  const body: StreamBody = {
    kind: 'stream',
    start: (sink) => {
      upstream = sink;
    },
    discard: () => ending.finish('left'),
    onEnd: (listener) => ending.onEnd(listener),
  };
  const stream = new RecordedStream(body, {
    max: most,
    budget,
    recorded: (bytes) => recorded.push(Buffer.from(bytes).toString()),
  });
  stream.start({
    write: (chunk) => {
      sent.push(Buffer.from(chunk).toString());
      return !isFull;
    },
    onDrain: (resume) => drains.push(resume),
    end: () => sent.push('end'),
    fail: () => sent.push('fail'),
  });
  return {
    stream,
    budget,
    recorded,
    sent,
    drains,
    fill: () => {
      isFull = true;
    },
    write: (text: string | Buffer) => upstream?.write(typeof text === 'string' ? Buffer.from(text) : text),
    onDrain: (resume: () => void) => upstream?.onDrain(resume),
    finish: (end: StreamEnd) => {
      if (end === 'failed') upstream?.fail(cut);
      if (end === 'complete') upstream?.end();
      ending.finish(end);
    },
  };
};

describe('a recorded stream', () => {
  it('is stored when it has completed', () => {
    const { write, finish, recorded, sent } = recording();
    write('a');
    write('b');
    expect(recorded).toEqual([]);
    finish('complete');
    expect([sent, recorded]).toEqual([['a', 'b', 'end'], ['ab']]);
  });

  it.each<StreamEnd>(['failed', 'left'])('is not stored if it ends as %s', (end) => {
    const { write, finish, recorded } = recording();
    write('a');
    finish(end);
    expect(recorded).toEqual([]);
  });

  it('is not stored if it was discarded', () => {
    const { stream, write, recorded } = recording();
    write('a');
    stream.discard();
    expect(recorded).toEqual([]);
  });

  it('is sent but not stored if it is too long', () => {
    const { write, finish, recorded, sent } = recording(3);
    for (const text of ['ab', 'cd', 'e']) write(text);
    finish('complete');
    expect([sent, recorded]).toEqual([['ab', 'cd', 'e', 'end'], []]);
  });

  it('slows down its upstream when its client is full', () => {
    const { write, fill, onDrain, drains } = recording();
    expect(write('a')).toBe(true);
    fill();
    expect(write('b')).toBe(false);
    const resume = (): void => {};
    onDrain(resume);
    expect(drains).toEqual([resume]);
  });

  it('keeps its own copy of what was sent', () => {
    const { write, finish, recorded } = recording();
    const bytes = Buffer.from('before');
    write(bytes);
    bytes.write('after!');
    finish('complete');
    expect(recorded).toEqual(['before']);
  });

  it.each<StreamEnd>(['complete', 'failed', 'left'])('releases all of its bytes when it ends as %s', (end) => {
    const budget = new ByteBudget(1000);
    for (let round = 0; round < 20; round += 1) {
      const { write, finish } = recording(1000, budget);
      write('a'.repeat(500));
      finish(end);
    }
    expect(budget.take(1000)).toBe(true);
  });

  it('is not stored while others hold all of the bytes', () => {
    const budget = new ByteBudget(1000);
    const first = recording(1000, budget);
    first.write('a'.repeat(600));
    const second = recording(1000, budget);
    second.write('b'.repeat(600));
    for (const { finish } of [first, second]) finish('complete');
    expect([first.recorded.length, second.recorded.length]).toEqual([1, 0]);
  });
});
