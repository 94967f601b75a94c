import { describe, expect, it } from 'vitest';
import type { BlockEvent } from '../../../../../plugins/dialects/wire/answer/block-event.ts';
import { BlockSequence } from '../../../../../plugins/dialects/wire/answer/block-sequence.ts';

const call = (block: number, input?: 'text'): BlockEvent => ({
  kind: 'tool-call',
  choice: 0,
  block,
  id: `c${block}`,
  name: 'f',
  ...(input && { input }),
});
const args = (block: number, text: string): BlockEvent => ({ kind: 'tool-arguments', choice: 0, block, text });
const says = (block: number, text: string): BlockEvent => ({ kind: 'text', choice: 0, block, text });
const ends = (block: number): BlockEvent => ({ kind: 'block-end', choice: 0, block });
const cites = (block: number): BlockEvent => ({ kind: 'citation', choice: 0, block, citation: { source: 0 } });

/** What comes out after each event, and at the end. */
const through = (...events: readonly BlockEvent[]): readonly (readonly BlockEvent[])[] => {
  const sequence = new BlockSequence();
  return [...events.map((event) => sequence.push(event)), sequence.end()];
};

describe('the order of blocks', () => {
  it('is that of the events where blocks follow one another', () => {
    expect(through(says(0, 'a'), says(0, 'b'), call(1), args(1, '{}'))).toEqual([
      [says(0, 'a')],
      [says(0, 'b')],
      [call(1)],
      [args(1, '{}')],
      [],
    ]);
  });

  it('lets other blocks wait for the arguments of a call, and go on when they are complete', () => {
    expect(through(call(0), args(0, '{"a"'), call(1), args(0, ':1}'), args(1, '{}'))).toEqual([
      [call(0)],
      [args(0, '{"a"')],
      [],
      [args(0, ':1}'), call(1)],
      [args(1, '{}')],
      [],
    ]);
  });

  it('has a citation follow the beginning of its text, even if it came first', () => {
    expect(through(cites(0), says(0, ''), cites(0), says(0, 'a'), cites(0), says(0, 'b'))).toEqual([
      [],
      [says(0, '')],
      [],
      [says(0, 'a'), cites(0), cites(0)],
      [cites(0)],
      [says(0, 'b')],
      [],
    ]);
  });

  it('has the input of a custom tool end with its block, whatever it looks like', () => {
    expect(through(call(0, 'text'), args(0, '{}'), says(1, 'a'), args(0, ' more'), ends(0))).toEqual([
      [call(0, 'text')],
      [args(0, '{}')],
      [],
      [args(0, ' more')],
      [says(1, 'a')],
      [],
    ]);
  });

  it('remembers the end of a block that waits', () => {
    const order = through(call(0), call(1, 'text'), args(1, 'x'), ends(1), says(2, 'a'), args(0, '{}'));
    expect(order.at(-2)).toEqual([args(0, '{}'), call(1, 'text'), args(1, 'x'), says(2, 'a')]);
  });

  it('puts what still waits at the end, one block after another', () => {
    expect(through(call(0), call(1), says(2, 'a'), args(1, '{}'), ends(1)).at(-1)).toEqual([
      call(1),
      args(1, '{}'),
      says(2, 'a'),
    ]);
  });

  it('lets what is said of a text follow it, though another block has begun', () => {
    expect(through(says(0, 'a'), call(1), cites(0), args(1, '{}'))).toEqual([
      [says(0, 'a')],
      [call(1)],
      [cites(0)],
      [args(1, '{}')],
      [],
    ]);
  });

  it('has what is said of a text wait as long as the text does', () => {
    const order = through(call(0), says(1, 'a'), cites(1), args(0, '{}'));
    expect(order.at(-2)).toEqual([args(0, '{}'), says(1, 'a'), cites(1)]);
  });
});
