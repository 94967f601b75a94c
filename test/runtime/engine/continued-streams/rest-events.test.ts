import { describe, expect, it } from 'vitest';
import { AnswerSoFar } from '../../../../runtime/engine/continued-streams/answer-so-far.ts';
import { RestEvents } from '../../../../runtime/engine/continued-streams/rest-events.ts';
import type { AnswerEvent, AnswerEventOf } from '../../../../schema/conversation/answer.ts';

const text = (said: string, block = 0, choice = 0): AnswerEvent => ({ kind: 'text', choice, block, text: said });
const thinking = (more: Partial<AnswerEventOf<'reasoning'>> = {}): AnswerEvent => ({
  ...{ kind: 'reasoning', choice: 0, block: 0, text: 'Hm.' },
  ...more,
});
const ended = (block: number): AnswerEvent => ({ kind: 'block-end', choice: 0, block });
const part = (value: AnswerEventOf<'part'>['part']): AnswerEvent => ({
  kind: 'part',
  choice: 0,
  block: 1,
  part: value,
});
const start: AnswerEvent = { kind: 'start', id: 'a', model: 'm' };
const call: AnswerEvent = { kind: 'tool-call', choice: 0, block: 1, id: 'c', name: 'f' };
const finish: AnswerEvent = { kind: 'finish', choice: 0, finish: { reason: 'stop' } };
const usage: AnswerEvent = { kind: 'usage', usage: { input: 1, output: 1 } };
const thought = { kind: 'thought', value: 'x' } as never;

const saying = (...events: readonly AnswerEvent[]): AnswerSoFar => {
  const said = new AnswerSoFar();
  for (const event of events) said.note(event);
  return said;
};

describe('an answer so far', () => {
  it('has the texts of its events', () => {
    expect(saying(start, text('Once '), usage, text('upon', 1)).text).toBe('Once upon');
  });

  it.each<[string, readonly AnswerEvent[], string | undefined]>([
    ['nothing', [], undefined],
    ['a text', [start, text('Once'), ended(0)], undefined],
    ['a second answer', [text('Once', 0, 1)], 'several-answers'],
    ['a member of a second answer', [{ kind: 'extension', choice: 1, dialect: 'chat', value: {} }], 'several-answers'],
    ['a member of the answer', [{ kind: 'extension', dialect: 'chat', value: {} }], undefined],
    ['reasoning that has not ended', [thinking()], 'reasoning'],
    ['reasoning that has not ended, and another block that has', [thinking({ block: 1 }), ended(0)], 'reasoning'],
    ['reasoning that has ended', [thinking(), ended(0)], undefined],
    ['reasoning before a text', [thinking(), text('Once', 1)], undefined],
    ['reasoning that its provider needs back', [thinking({ bound: thought }), text('Once', 1)], 'reasoning'],
    ['a refusal', [{ kind: 'refusal', choice: 0, block: 0, text: 'No.' }], 'refusal'],
    ['a call', [call], 'tool-call'],
    ['arguments', [{ kind: 'tool-arguments', choice: 0, block: 0, text: '{' }], 'tool-call'],
    ['a call of a server', [part({ kind: 'server-tool-call' } as never)], 'tool-call'],
    ['the result of such a call', [part({ kind: 'server-tool-result' } as never)], 'tool-call'],
    ['an image', [part({ kind: 'media' } as never)], 'media'],
    ['its finish', [text('Once'), finish], 'finished'],
    ['its end', [text('Once'), { kind: 'end' }], 'finished'],
    ['an error', [text('Once'), { kind: 'error', error: { message: 'No.' } }], 'unreadable'],
    ['the first of several reasons', [call, finish, text('Once', 0, 1)], 'tool-call'],
    ['the first of several reasons, whichever it is', [finish, call], 'finished'],
  ])('may continue elsewhere or says why not: %s', (_, events, reason) => {
    expect(saying(...events).whyNot).toBe(reason);
  });

  it('may not continue elsewhere while its last content is not known', () => {
    const said = saying(text('Once'));
    said.isHeld = true;
    expect(said.whyNot).toBe('unreadable');
  });

  it('has an open text until its block ends or another part begins', () => {
    expect(saying(text('Once', 2)).openText).toBe(2);
    expect(saying(text('Once', 2), ended(1)).openText).toBe(2);
    expect(saying(text('Once', 2), ended(2)).openText).toBeUndefined();
    expect(saying(text('Once', 2), thinking({ block: 3 })).openText).toBeUndefined();
  });
});

describe('the events of a stream that continues an answer', () => {
  /** Returns what the client receives of them. */
  const rest = (said: AnswerSoFar, ...events: readonly AnswerEvent[]): readonly AnswerEvent[] => {
    const mapped = new RestEvents(said);
    return events.flatMap((event) => {
      const given = mapped.map(event);
      if (given === undefined) return [];
      said.note(given);
      return [given];
    });
  };

  it('continue the text that broke off, and their other parts follow', () => {
    const said = saying(start, thinking(), text('Once', 1));
    expect(rest(said, text(' upon', 0), ended(0), call, text(' a time', 2))).toEqual([
      text(' upon', 1),
      ended(1),
      { ...call, block: 2 },
      text(' a time', 3),
    ]);
  });

  it('begin a part of their own if the last text has ended, or something comes before theirs', () => {
    expect(rest(saying(text('Once', 1), ended(1)), text('upon'))).toEqual([text('upon', 2)]);
    expect(rest(saying(text('Once', 1)), call, text('upon', 0))).toEqual([{ ...call, block: 2 }, text('upon', 3)]);
  });

  it('begin the answer only if nothing of it was received', () => {
    expect(rest(saying(start), start)).toEqual([]);
    expect(rest(saying(), start)).toEqual([start]);
  });

  it.each<[string, AnswerEvent]>([
    ['usage', usage],
    ['an error', { kind: 'error', error: { message: 'No.' } }],
    ['reasoning', thinking()],
    ['reasoning with a signature', thinking({ bound: { kind: 'signature', value: 'x' } as never })],
    ['a member of the answer', { kind: 'extension', dialect: 'chat', value: {} }],
    ['the end of a part that was not sent', ended(0)],
  ])('are not sent if they are about another request: %s', (_, event) => {
    expect(rest(saying(text('Once')), event)).toEqual([]);
  });

  it.each<[string, AnswerEvent]>([
    ['the value that the next call needs', thinking({ block: 1, bound: thought })],
    ['a member of a choice', { kind: 'extension', choice: 0, dialect: 'chat', value: {} }],
    ['the finish', finish],
  ])('are sent otherwise: %s', (_, event) => {
    expect(rest(saying(text('Once')), event)).toEqual([event]);
  });

  it('do not repeat the white space with which the text broke off', () => {
    expect(rest(saying(text('Once ')), text(' '), text('\n upon'), text(' a'))).toEqual([text('upon'), text(' a')]);
    expect(rest(saying(text('Once')), text(' upon'))).toEqual([text(' upon')]);
    expect(rest(saying(text('Once up')), text(' upon'))).toEqual([text(' upon')]);
    expect(rest(saying(text('Once')), text(''))).toEqual([]);
    expect(rest(saying(text('Once ')), finish, text(' upon'))).toEqual([finish, text('upon')]);
  });
});
