import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Step } from '../../../../plugins/sdk/hooks/hooks.ts';
import { type HeldEvent, heldEvent, releasedEvents } from '../../../../runtime/engine/stream-stages/held-event.ts';
import { HeldEvents } from '../../../../runtime/engine/stream-stages/held-events.ts';
import { OpenCalls } from '../../../../runtime/engine/stream-stages/open-calls.ts';
import { quotedWords, replaceQuotedWords } from '../../../../runtime/engine/stream-stages/quoted-words.ts';
import { ReleasedEvents } from '../../../../runtime/engine/stream-stages/released-events.ts';
import type { AnswerEvent, AnswerEventOf } from '../../../../schema/conversation/answer.ts';
import { lawRuns } from '../../../support/run/law-runs.ts';

const text = (said: string, block = 0): AnswerEvent => ({ kind: 'text', choice: 0, block, text: said });

interface Held {
  readonly waits: boolean;
  readonly isAwaiting: boolean;
  readonly endsWaiting: boolean;
  readonly isDropped: boolean;
  readonly change: 'none' | 'text' | 'instead';
}

const arbitraryHeld: fc.Arbitrary<Held> = fc.record({
  waits: fc.boolean(),
  isAwaiting: fc.boolean(),
  endsWaiting: fc.boolean(),
  isDropped: fc.boolean(),
  change: fc.constantFrom('none', 'text', 'instead'),
});

/** Returns how many of the first events may go: none that waits, and none that a later one has to accompany. */
const countReady = (list: readonly Held[]): number => {
  const most = list.findIndex(({ waits }) => waits);
  const first = most === -1 ? list : list.slice(0, most);
  for (let count = first.length; count > 0; count -= 1) {
    const last = first.slice(0, count).findLast(({ isAwaiting, endsWaiting }) => isAwaiting || endsWaiting);
    if (last === undefined || !last.isAwaiting) return count;
  }
  return 0;
};

const stepOf = (
  list: readonly Held[],
  isOpened: boolean,
): { readonly step: Step; readonly events: readonly HeldEvent[] } => {
  const dropped = new Set<HeldEvent>();
  const held = new HeldEvents((event) => dropped.has(event));
  const events = list.map(({ isDropped, change, ...more }, at) => {
    const event = Object.assign(heldEvent(text(`${at}`)), more);
    if (change === 'text') Object.assign(event, { isChanged: true, given: `${at}!` });
    if (change === 'instead') event.instead = [text('a'), text('b')];
    if (isDropped) dropped.add(event);
    held.push(event);
    return event;
  });
  if (isOpened) held.openAll();
  return { step: held.step(), events };
};

describe('the events that a stage holds', () => {
  it('are released in order up to the first that is not ready, as they came if nothing was changed', () => {
    fc.assert(
      fc.property(fc.array(arbitraryHeld, { maxLength: 6 }), fc.boolean(), (list, isOpened) => {
        const { step } = stepOf(list, isOpened);
        const count = isOpened ? list.length : countReady(list);
        const ready = list.slice(0, count);
        const keep = list.length - count;
        const expected = ready.flatMap(({ isDropped, change }, at) => {
          if (isDropped) return [];
          return change === 'instead' ? [text('a'), text('b')] : [text(change === 'text' ? `${at}!` : `${at}`)];
        });
        if (count === 0) expect(step).toEqual({ do: 'hold' });
        else if (ready.every(({ isDropped, change }) => !isDropped && change === 'none'))
          expect(step).toEqual({ do: 'release', keep });
        else expect(step).toEqual({ do: 'replace', events: expected, keep });
      }),
      lawRuns,
    );
  });
});

describe('an event whose text was changed', () => {
  const changed = (event: AnswerEvent, given: string): readonly AnswerEvent[] =>
    releasedEvents(Object.assign(heldEvent(event), { isChanged: true, given }));
  const thinking = (more: object): AnswerEventOf<'reasoning'> => ({ kind: 'reasoning', choice: 0, block: 0, ...more });

  it.each<[string, AnswerEvent, AnswerEvent]>([
    ['a text', text('a'), text('b')],
    [
      'a refusal',
      { kind: 'refusal', choice: 0, block: 1, text: 'a' },
      { kind: 'refusal', choice: 0, block: 1, text: 'b' },
    ],
    [
      'arguments',
      { kind: 'tool-arguments', choice: 0, block: 1, text: 'a' },
      { kind: 'tool-arguments', choice: 0, block: 1, text: 'b' },
    ],
    ['reasoning', thinking({ text: 'a' }), thinking({ text: 'b' })],
    ['a summary', thinking({ summary: { index: 2, text: 'a' } }), thinking({ summary: { index: 2, text: 'b' } })],
    ['signed reasoning', thinking({ text: 'a', bound: { kind: 'signature', value: 's' } }), thinking({ text: 'b' })],
    [
      'reasoning with another value',
      thinking({ text: 'a', bound: { kind: 'thought', value: 's' } }),
      thinking({ text: 'b', bound: { kind: 'thought', value: 's' } }),
    ],
    ['an event without a text', { kind: 'end' }, { kind: 'end' }],
  ])('has its new text, and no signature of its old one: %s', (_, event, expected) => {
    expect(changed(event, 'b')).toEqual([expected]);
    expect(changed(event, '')).toEqual([]);
    expect(releasedEvents(heldEvent(event))).toEqual([event]);
  });
});

describe('the calls of a stream', () => {
  const begin = (block: number, more: object = {}, choice = 0): AnswerEventOf<'tool-call'> => ({
    ...{ kind: 'tool-call', choice, block, id: `c${block}`, name: `f${block}` },
    ...more,
  });
  const piece = (block: number, said: string, choice = 0): AnswerEventOf<'tool-arguments'> => ({
    ...{ kind: 'tool-arguments', choice, block, text: said },
  });
  /** Adds events to open calls, and returns them as they are held. */
  const open = (...events: readonly (AnswerEventOf<'tool-call'> | AnswerEventOf<'tool-arguments'>)[]) => {
    const calls = new OpenCalls();
    const held = events.map((event) => {
      const each = heldEvent(event);
      calls.add(event, each);
      return each;
    });
    return { calls, held };
  };

  it('are complete when their block or their choice ends, and are taken once', () => {
    const events = [begin(0), piece(0, '{"a'), begin(1, { input: 'text' }), piece(0, '":1}'), piece(1, 'x')];
    const { calls } = open(...events, begin(0, {}, 1));
    const parts = (where: Parameters<OpenCalls['take']>[0]) =>
      calls.take(where).map(({ choice, part }) => [choice, part]);
    expect(parts({ choice: 0, block: 0 })).toEqual([
      [0, { kind: 'tool-call', id: 'c0', name: 'f0', arguments: '{"a":1}' }],
    ]);
    expect(parts({ choice: 0, block: 0 })).toEqual([]);
    expect(parts({ choice: 0 })).toEqual([
      [0, { kind: 'tool-call', id: 'c1', name: 'f1', arguments: 'x', input: 'text' }],
    ]);
    expect(parts({})).toEqual([[1, { kind: 'tool-call', id: 'c0', name: 'f0', arguments: '' }]]);
  });

  it('wait until they are settled, unchanged if they are', () => {
    const { calls, held } = open(begin(0), piece(0, '{}'));
    expect(held.every(({ waits }) => waits)).toBe(true);
    for (const call of calls.take({})) call.settle(call.part);
    expect(held.some(({ waits, isChanged }) => waits || isChanged)).toBe(false);
  });

  it('have changed arguments in the first of their pieces', () => {
    const { calls, held } = open(begin(0), piece(0, '{"a'), piece(0, '":1}'));
    for (const call of calls.take({})) call.settle({ ...call.part, arguments: '{"b":2}' });
    expect(held.flatMap(releasedEvents)).toEqual([begin(0), piece(0, '{"b":2}')]);
  });
});

describe('the words that an event quotes', () => {
  const citation = (more: object): AnswerEvent => ({
    kind: 'citation',
    choice: 3,
    block: 0,
    citation: { ...more } as never,
  });
  const finish = (details?: string): AnswerEvent => ({
    ...{ kind: 'finish', choice: 3 },
    finish: details === undefined ? { reason: 'other' } : { reason: 'other', details },
  });

  it.each<[string, AnswerEvent, readonly string[]]>([
    ['a citation', citation({ title: 'T', quote: 'Q' }), ['T', 'Q']],
    ['a citation without a title', citation({ quote: 'Q' }), ['Q']],
    ['a citation with nothing in them', citation({ title: '', quote: '' }), []],
    ['a finish', finish('Because.'), ['Because.']],
    ['a finish without details', finish(), []],
    ['a finish with empty details', finish(''), []],
    ['any other event', text('T'), []],
  ])('are judged by themselves: %s', (_, event, words) => {
    expect(quotedWords(event).map((quoted) => quoted.text)).toEqual(words);
    const kind = event.kind === 'citation' ? 'citation' : 'text';
    for (const { place } of quotedWords(event)) expect(place).toEqual({ kind, choice: 3 });
  });

  it('are replaced one after the other, and the event is as it came if they do not change', () => {
    const replaced = (event: AnswerEvent, change: (words: string) => string): readonly AnswerEvent[] | undefined => {
      const held = heldEvent(event);
      for (const quoted of quotedWords(event)) replaceQuotedWords(held, quoted, change(quoted.text));
      return held.instead;
    };
    const event = citation({ title: 'T', quote: 'Q', url: 'u' });
    expect(replaced(event, (words) => `${words}!`)).toEqual([citation({ title: 'T!', quote: 'Q!', url: 'u' })]);
    expect(replaced(event, (words) => (words === 'Q' ? 'R' : words))).toEqual([
      citation({ title: 'T', quote: 'R', url: 'u' }),
    ]);
    expect(replaced(event, (words) => words)).toBeUndefined();
    expect(replaced(finish('Because.'), () => 'So.')).toEqual([finish('So.')]);
  });
});

describe('the events that are kept to judge a whole answer', () => {
  const half = 'x'.repeat(16 * 1024 * 1024);
  const kept = (...events: readonly AnswerEvent[]): boolean => {
    const released = new ReleasedEvents();
    for (const event of events) released.add(event);
    return !released.isTooLarge;
  };

  it.each<[string, (said: string) => AnswerEvent]>([
    ['texts', (said) => text(said)],
    ['refusals', (said) => ({ kind: 'refusal', choice: 0, block: 0, text: said })],
    ['arguments', (said) => ({ kind: 'tool-arguments', choice: 0, block: 0, text: said })],
    ['reasoning', (said) => ({ kind: 'reasoning', choice: 0, block: 0, text: said })],
    ['summaries', (said) => ({ kind: 'reasoning', choice: 0, block: 0, summary: { index: 0, text: said } })],
    ['titles', (said) => ({ kind: 'citation', choice: 0, block: 0, citation: { title: said } as never })],
    ['quotations', (said) => ({ kind: 'citation', choice: 0, block: 0, citation: { quote: said } as never })],
  ])('have at most 32 MiB: %s', (_, toEvent) => {
    expect(kept(toEvent(half), toEvent(half))).toBe(true);
    expect(kept(toEvent(half), toEvent(half), toEvent('x'))).toBe(false);
  });

  it.each<[string, (said: string) => AnswerEvent]>([
    ['parts', (said) => ({ kind: 'part', choice: 0, block: 0, part: { kind: 'other', value: { said } } as never })],
    ['members of a dialect', (said) => ({ kind: 'extension', dialect: 'chat', value: { said } })],
  ])('have at most 32 MiB with their JSON: %s', (_, toEvent) => {
    expect(kept(toEvent(half))).toBe(true);
    expect(kept(toEvent(half), toEvent(half))).toBe(false);
  });

  it('are folded into that answer', () => {
    const released = new ReleasedEvents();
    for (const event of [text('Once '), text('upon'), { kind: 'end' } as const]) released.add(event);
    expect(released.answer().choices).toMatchObject([{ parts: [{ kind: 'text', text: 'Once upon' }] }]);
  });

  it('are dropped, with all that follow, once there are more', () => {
    const released = new ReleasedEvents();
    for (const said of [half, half, 'x', 'y']) released.add(text(said));
    expect([released.isTooLarge, released.answer().choices]).toEqual([true, []]);
  });
});
