import { describe, expect, it } from 'vitest';
import { pieceBytes, ResponseSink } from '../../../../runtime/http/answer/response-sink.ts';
import type { ServerAnswer } from '../../../../runtime/http/exchange/connection.ts';

/** Creates an answer whose client takes what was written when the test requests it. */
const slowAnswer = () => {
  const written: string[] = [];
  const drains: (() => void)[] = [];
  const response = {
    destroyed: false,
    chunkedEncoding: false,
    write: (chunk: Uint8Array) => {
      written.push(Buffer.from(chunk).toString());
      return false;
    },
    once: (_: string, drained: () => void) => void drains.push(drained),
    end: () => void written.push('end'),
  };
  const take = (): void => {
    for (const drained of drains.splice(0)) drained();
  };
  return { sink: new ResponseSink(response as unknown as ServerAnswer), written, take };
};

const piece = 'x'.repeat(pieceBytes);

describe('a chunk that is larger than a piece', () => {
  it('is written in pieces, and what follows is written after it', () => {
    const { sink, written, take } = slowAnswer();
    let resumed = 0;
    expect(sink.write(Buffer.from(`${piece}${piece}y`))).toBe(false);
    sink.onDrain(() => {
      resumed += 1;
    });
    expect(sink.write(Buffer.from('z'))).toBe(false);
    sink.end();
    const seen: [number, number][] = [];
    for (let taken = 0; taken < 5; taken += 1) {
      seen.push([written.length, resumed]);
      take();
    }
    expect(written).toEqual([piece, piece, 'y', 'z', 'end']);
    expect(seen.map(([count]) => count)).toEqual([1, 2, 3, 5, 5]);
    expect(resumed).toBe(1);
  });
});
