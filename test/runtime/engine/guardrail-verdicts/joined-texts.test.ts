import { describe, expect, it } from 'vitest';
import { transcriptions } from '../../../../plugins/dialects/audio/transcriptions.ts';
import { converse } from '../../../../plugins/dialects/converse/converse.ts';
import { gemini } from '../../../../plugins/dialects/gemini/gemini.ts';
import { messages } from '../../../../plugins/dialects/messages/messages.ts';
import type { Dialect } from '../../../../plugins/sdk/dialect/dialect.ts';
import { withTexts } from '../../../../plugins/sdk/texts/with-texts.ts';
import { answerText, requestText } from '../../../../runtime/engine/guardrail-verdicts/check-text.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { occurrences } from '../../../support/plans/checked-config.ts';

const claude = (...texts: readonly string[]): JsonObject => ({
  content: texts.map((text) =>
    text === '' ? { type: 'tool_use', id: 't', name: 'n', input: { a: 'x' } } : { type: 'text', text },
  ),
});

const google = (...texts: readonly string[]): JsonObject => ({
  candidates: [
    {
      content: {
        parts: texts.map((text) => (text === '' ? { functionCall: { name: 'n', args: { a: 'x' } } } : { text })),
      },
    },
  ],
});

describe('the texts of an answer', () => {
  it('are one text if they follow each other', () => {
    expect(answerText({ answer: claude('It is ', 'so.'), dialect: messages })?.text).toBe('It is so.');
    expect(answerText({ answer: claude('It is', '', 'so.'), dialect: messages })?.text).toBe('It is\na\nx\nso.');
  });

  it('are one text for clients that get them joined, whatever is between them', () => {
    expect(answerText({ answer: google('It is ', '', 'so.'), dialect: gemini })?.text).toBe('It is so.\na\nx');
  });

  it('are also judged separately if a word of one would continue in the other', () => {
    const read = answerText({ answer: claude('It is', 'so.'), dialect: messages });
    expect(read?.text).toBe('It isso.\nIt is\nso.');
    expect(read?.spans.map(({ at }) => at)).toEqual(['/content/0/text', '/content/0/text', '/content/1/text']);
  });

  it('are replaced where each is written', () => {
    const replaced = (answer: JsonObject, word: string, by: string): JsonObject => {
      const { spans = [] } = answerText({ answer, dialect: messages }) ?? {};
      return withTexts(answer, { spans, replacements: occurrences({ spans }, word, by), phase: 'output' });
    };
    expect(replaced(claude('Ask ann@exa', 'mple.org now: ', 'ann@example.org'), 'ann@example.org', '[EMAIL]')).toEqual(
      claude('Ask [EMAIL]', ' now: ', '[EMAIL]'),
    );
    expect(replaced(claude('a', 'b', 'c', 'd '), 'bc', '-')).toEqual({
      content: ['a', '-', '', 'd '].map((text) => ({ type: 'text', text })),
    });
  });

  it('are replaced if one of them is judged separately and nothing is found in all of them together', () => {
    const read = answerText({ answer: claude('card 4111', '22 and'), dialect: messages });
    const spans = read?.spans ?? [];
    expect(read?.text).toBe('card 411122 and\ncard 4111\n22 and');
    const replacements = [{ span: 1, from: 5, to: 9, with: '[CARD]' }];
    expect(withTexts(claude('card 4111', '22 and'), { spans, replacements, phase: 'output' })).toEqual(
      claude('card [CARD]', '22 and'),
    );
  });

  it('are replaced in a transcription and in each of its segments', () => {
    const answer = {
      text: 'card 4111',
      segments: [{ text: 'card 4111' }],
      words: [{ word: 'card' }, { word: '4111' }],
    };
    const { spans = [] } = answerText({ answer, dialect: transcriptions }) ?? {};
    const replacements = spans.flatMap(({ text }, span) =>
      [...text.matchAll(/\b4111\b/g)].map(({ index }) => ({ span, from: index, to: index + 4, with: '[CARD]' })),
    );
    expect(withTexts(answer, { spans, replacements, phase: 'output' })).toEqual({
      text: 'card [CARD]',
      segments: [{ text: 'card [CARD]' }],
      words: [{ word: 'card' }, { word: '[CARD]' }],
    });
  });

  it('reject a replacement that lies outside of them', () => {
    const answer = claude('a ', 'b');
    const { spans = [] } = answerText({ answer, dialect: messages }) ?? {};
    for (const [span, from, to] of [
      [0, 2, 9],
      [0, -1, 2],
      [7, 0, 1],
    ] as const)
      expect(() => withTexts(answer, { spans, replacements: [{ span, from, to, with: '' }], phase: 'output' })).toThrow(
        RangeError,
      );
  });
});

const parts = (...texts: readonly string[]): readonly JsonObject[] => texts.map((text) => ({ type: 'text', text }));

const asked = (...texts: readonly string[]): JsonObject => ({ messages: [{ role: 'user', content: parts(...texts) }] });

describe('the parts of a turn', () => {
  it('are judged separately, and as the one text that models may read', () => {
    expect(requestText(asked('Of pluto', 'nium', ' and more.', 'So'), messages)?.text).toBe(
      'Of pluto\nnium\n and more.\nSo\nOf plutonium and more.So',
    );
    expect(requestText(asked('forbidden ', '', 'words'), messages)?.text).toBe('forbidden \nwords\nforbidden words');
  });

  it('are not joined if a line break divides them', () => {
    expect(requestText(asked('It is.\n', 'So'), messages)?.text).toBe('It is.\n\nSo');
    expect(requestText(asked('It is.', '\nSo'), messages)?.text).toBe('It is.\n\nSo');
  });

  it('count only once for checks of the text', () => {
    const spans = requestText(asked('one two', 'three'), messages)?.spans ?? [];
    expect(spans.map(({ kind, text }) => [kind, text])).toEqual([
      ['text', 'one two'],
      ['text', 'three'],
      ['other', 'one twothree'],
    ]);
  });

  it('are not joined with those of another turn', () => {
    const turns = ['Of pluto', 'nium'].map((text) => ({ role: 'user', content: [{ type: 'text', text }] }));
    expect(requestText({ messages: turns }, messages)?.text).toBe('Of pluto\nnium');
  });

  it.each<[string, Dialect, JsonObject, JsonObject]>([
    [
      'messages',
      messages,
      { ...asked('Hi'), system: parts('Ask ann@exa', 'mple.org') },
      { ...asked('Hi'), system: parts('Ask [EMAIL]', '') },
    ],
    [
      'converse',
      converse,
      { messages: [], system: [{ text: 'Ask ann@exa' }, { cachePoint: { type: 'default' } }, { text: 'mple.org' }] },
      { messages: [], system: [{ text: 'Ask [EMAIL]' }, { cachePoint: { type: 'default' } }, { text: '' }] },
    ],
  ])('are replaced in the system prompt of %s too', (_, dialect, body, replaced) => {
    const spans = requestText(body, dialect)?.earlier?.() ?? [];
    const replacements = occurrences({ spans }, 'ann@example.org', '[EMAIL]');
    expect(withTexts(body, { spans, replacements, phase: 'input' })).toEqual(replaced);
  });

  it('are joined by the members that the format does not document, not across them', () => {
    const unknown = (data: string): JsonObject => ({ type: 'hologram', data });
    const body = { messages: [{ role: 'user', content: [unknown('ann@exa'), unknown('mple.org')] }] };
    const { text, spans = [] } = requestText(body, messages) ?? {};
    expect(text).toContain('\nann@example.org');
    expect(text).not.toContain('hologramann@exa');
    const replacements = occurrences({ spans }, 'ann@example.org', '[EMAIL]');
    expect(withTexts(body, { spans, replacements, phase: 'input' })).toEqual({
      messages: [{ role: 'user', content: [unknown('[EMAIL]'), unknown('')] }],
    });
  });

  it('are replaced where each is written', () => {
    const body = asked('Ask ann@exa', 'mple.org now: ', 'ann@example.org');
    const { spans = [] } = requestText(body, messages) ?? {};
    const replacements = occurrences({ spans }, 'ann@example.org', '[EMAIL]');
    expect(withTexts(body, { spans, replacements, phase: 'input' })).toEqual(asked('Ask [EMAIL]', ' now: ', '[EMAIL]'));
  });
});
