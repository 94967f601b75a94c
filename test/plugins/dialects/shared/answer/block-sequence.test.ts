import { describe, expect, it } from 'vitest';
import type { BlockEvent } from '../../../../../plugins/dialects/shared/answer/block-event.ts';
import { BlockSequence } from '../../../../../plugins/dialects/shared/answer/block-sequence.ts';

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

/** Returns what the sequence releases after each event and at the end. */
const through = (...events: readonly BlockEvent[]): readonly (readonly BlockEvent[])[] => {
  const sequence = new BlockSequence();
  return [...events.map((event) => sequence.push(event)), sequence.end()];
};

describe('a sequence of blocks', () => {
  it('keeps the order of the events if blocks follow one another', () => {
    expect(through(says(0, 'a'), says(0, 'b'), call(1), args(1, '{}'))).toEqual([
      [says(0, 'a')],
      [says(0, 'b')],
      [call(1)],
      [args(1, '{}')],
      [],
    ]);
  });

  it('holds other blocks back until the arguments of a call are complete', () => {
    expect(through(call(0), args(0, '{"a"'), call(1), args(0, ':1}'), args(1, '{}'))).toEqual([
      [call(0)],
      [args(0, '{"a"')],
      [],
      [args(0, ':1}'), call(1)],
      [args(1, '{}')],
      [],
    ]);
  });

  it('releases a citation after the start of its text, even if the citation arrives first', () => {
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

  it('ends the input of a custom tool with its block, whatever the input looks like', () => {
    expect(through(call(0, 'text'), args(0, '{}'), says(1, 'a'), args(0, ' more'), ends(0))).toEqual([
      [call(0, 'text')],
      [args(0, '{}')],
      [],
      [args(0, ' more')],
      [says(1, 'a')],
      [],
    ]);
  });

  it('remembers the end of a block that is held back', () => {
    const order = through(call(0), call(1, 'text'), args(1, 'x'), ends(1), says(2, 'a'), args(0, '{}'));
    expect(order.at(-2)).toEqual([args(0, '{}'), call(1, 'text'), args(1, 'x'), says(2, 'a')]);
  });

  it('releases the blocks that are still held back at the end, one after another', () => {
    expect(through(call(0), call(1), says(2, 'a'), args(1, '{}'), ends(1)).at(-1)).toEqual([
      call(1),
      args(1, '{}'),
      says(2, 'a'),
    ]);
  });

  it('releases a citation of a text even if another block has started', () => {
    expect(through(says(0, 'a'), call(1), cites(0), args(1, '{}'))).toEqual([
      [says(0, 'a')],
      [call(1)],
      [cites(0)],
      [args(1, '{}')],
      [],
    ]);
  });

  it('holds a citation back as long as its text', () => {
    const order = through(call(0), says(1, 'a'), cites(1), args(0, '{}'));
    expect(order.at(-2)).toEqual([args(0, '{}'), says(1, 'a'), cites(1)]);
  });
});
