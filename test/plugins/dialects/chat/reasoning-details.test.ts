import { describe, expect, it } from 'vitest';
import { foldAnswer } from '../../../../schema/conversation/fold-answer.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { toObjects } from '../../../../schema/json/loose.ts';
import { chatCodec, here, messagesCodec, requestVia } from '../support/codecs.ts';
import { toEvents, toFrames } from '../support/frames.ts';
import { call, clients, question, turnSentBack } from '../support/next-turn.ts';

const claude = { format: 'anthropic-claude-v1', index: 0 };
const openai = { format: 'openai-responses-v1', index: 0 };
const google = { format: 'google-gemini-v1', index: 0 };

interface Sample {
  /** The details of a whole answer. */
  readonly whole: readonly JsonObject[];
  /** The same in the pieces of a stream. */
  readonly pieces: readonly JsonObject[];
  /** What the service must get back, if it is not the same. */
  readonly back?: readonly JsonObject[];
}

/** As recorded from OpenRouter: https://openrouter.ai/docs/use-cases/reasoning-tokens#reasoning-details-api-shape */
const samples: { readonly [what: string]: Sample } = {
  'a text and its signature': {
    whole: [{ type: 'reasoning.text', text: 'The user asks.', signature: 'EqoB', id: null, ...claude }],
    pieces: [
      { type: 'reasoning.text', text: 'The user', id: null, ...claude },
      { type: 'reasoning.text', text: ' asks.', id: null, ...claude },
      { type: 'reasoning.text', signature: 'EqoB', id: null, ...claude },
    ],
  },
  'a signature of a text that is not shown': {
    whole: [{ type: 'reasoning.text', signature: 'EqoB', ...claude }],
    pieces: [{ type: 'reasoning.text', signature: 'EqoB', ...claude }],
  },
  'a redacted thought between two signed ones': {
    whole: [
      { type: 'reasoning.text', text: 'One.', signature: 'EqoA', ...claude },
      { type: 'reasoning.encrypted', data: 'EmwK', ...claude, index: 1 },
      { type: 'reasoning.text', text: 'Two.', signature: 'EqoB', ...claude, index: 2 },
    ],
    pieces: [
      { type: 'reasoning.text', text: 'One.', ...claude },
      { type: 'reasoning.text', signature: 'EqoA', ...claude },
      { type: 'reasoning.encrypted', data: 'EmwK', ...claude, index: 1 },
      { type: 'reasoning.text', text: 'Tw', ...claude, index: 2 },
      { type: 'reasoning.text', text: 'o.', signature: 'EqoB', ...claude, index: 2 },
    ],
  },
  'a summary and encrypted reasoning with the same index': {
    whole: [
      { type: 'reasoning.summary', summary: 'Asking for the weather.', ...openai },
      { type: 'reasoning.encrypted', data: 'gAAAAA', id: 'rs_1', ...openai },
    ],
    pieces: [
      { type: 'reasoning.summary', summary: 'Asking for', ...openai },
      { type: 'reasoning.summary', summary: ' the weather.', ...openai },
      { type: 'reasoning.encrypted', data: 'gAAAAA', id: 'rs_1', ...openai },
    ],
  },
  'encrypted reasoning alone': {
    whole: [{ type: 'reasoning.encrypted', data: 'gAAAAA', id: 'rs_1', ...openai }],
    pieces: [{ type: 'reasoning.encrypted', data: 'gAAAAA', id: 'rs_1', ...openai }],
  },
  'a text and the encrypted thought of a call': {
    whole: [
      { type: 'reasoning.text', text: 'I need a tool.', ...google },
      { type: 'reasoning.encrypted', data: 'CiUB', id: 'call_1', ...google },
    ],
    pieces: [
      { type: 'reasoning.text', text: 'I need', ...google },
      { type: 'reasoning.text', text: ' a tool.', ...google },
      { type: 'reasoning.encrypted', data: 'CiUB', id: 'call_1', ...google },
    ],
  },
  'a text that its service does not sign': {
    whole: [{ type: 'reasoning.text', text: 'Hm, the weather.', format: 'unknown', index: 0 }],
    pieces: [
      { type: 'reasoning.text', text: 'Hm, ', format: 'unknown', index: 0 },
      { type: 'reasoning.text', text: 'the weather.', format: 'unknown', index: 0 },
    ],
  },
  'nothing for a text that lacks its signature': {
    whole: [{ type: 'reasoning.text', text: 'The user asks.', signature: null, ...claude }],
    pieces: [{ type: 'reasoning.text', text: 'The user asks.', signature: null, ...claude }],
    back: [],
  },
};

const words = (details: readonly JsonObject[]): string =>
  details.map(({ text = '', summary = '' }) => `${text}${summary}`).join('');

const wholeAnswer = (reasoning_details: readonly JsonObject[]): JsonObject => ({
  id: 'gen-1',
  model: 'm',
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: null,
        reasoning: words(reasoning_details),
        reasoning_details,
        tool_calls: [call],
      },
      finish_reason: 'tool_calls',
    },
  ],
});

const streamText = (pieces: readonly JsonObject[]): string => {
  const deltas: readonly JsonObject[] = [
    ...pieces.map((piece) => ({ content: '', reasoning: words([piece]) || null, reasoning_details: [piece] })),
    { content: null, tool_calls: [{ index: 0, ...call }] },
  ];
  const chunks = [
    ...deltas.map((delta) => ({ index: 0, delta: { role: 'assistant', ...delta }, finish_reason: null })),
    { index: 0, delta: {}, finish_reason: 'tool_calls' },
  ].map((choice) => `data: ${JSON.stringify({ id: 'gen-1', model: 'm', choices: [choice] })}\n\n`);
  return `${chunks.join('')}data: [DONE]\n\n`;
};

const cases = Object.entries(clients).flatMap(([id, client]) =>
  Object.entries(samples).map(([what, sample]) => [id, what, client, sample] as const),
);

describe('reasoning details of an answer, in the next turn', () => {
  it.each(cases)('come back from a %s client: %s', (_id, _what, client, { whole, back = whole }) => {
    expect(turnSentBack(client, wholeAnswer(whole)).reasoning_details ?? []).toEqual(back);
  });

  it.each(cases)(
    'come back from a %s client that streams: %s',
    (_id, _what, client, { whole, pieces, back = whole }) => {
      expect(turnSentBack(client, streamText(pieces)).reasoning_details ?? []).toEqual(back);
    },
  );
});

/** Returns the details in a request that one service answered and the service with the scope gets. */
const sentTo = (scope: string, reasoning_details: readonly JsonObject[]): Json => {
  const message = { role: 'assistant', content: null, reasoning_details, tool_calls: [call] };
  const asked = chatCodec.decodeRequest({ messages: [question, message] }, here);
  const { body } = chatCodec.encodeRequest(asked, { provider: 'test', strict: true, drop: new Set(), scope });
  return toObjects(body.messages)[1]?.reasoning_details ?? [];
};

describe('reasoning details in a request', () => {
  it.each(Object.entries(samples))('are sent as they were to the service that made them: %s', (_what, { whole }) => {
    expect(sentTo(here.scope, whole)).toEqual(whole);
  });

  it('are sent to no other service', () => {
    for (const { whole } of Object.values(samples)) expect(sentTo('there', whole)).toEqual([]);
  });
});

describe('a stream with reasoning details', () => {
  const parts = (...deltas: readonly JsonObject[]): unknown => {
    const chunks = [...deltas, {}].map((delta, at) => {
      const finish_reason = at === deltas.length ? 'stop' : null;
      return `data: ${JSON.stringify({ id: 'gen-1', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
    });
    const text = `${chunks.join('')}data: [DONE]\n\n`;
    return foldAnswer(toEvents(chatCodec.streamDecoder(here), toFrames(text))).choices[0]?.parts;
  };
  const signature = { type: 'reasoning.text', signature: 'EqoB', ...claude };
  const bound = { scope: 'here', kind: 'signature', value: JSON.stringify([signature]) };

  it('has the signature on its text if other content came between them', () => {
    expect(
      parts(
        { reasoning_details: [{ type: 'reasoning.text', text: 'Hm.', ...claude }] },
        { content: 'Hi.' },
        { reasoning_details: [signature] },
      ),
    ).toMatchObject([
      { kind: 'reasoning', text: 'Hm.', bound: { value: expect.stringContaining('EqoB') } },
      { text: 'Hi.' },
    ]);
  });

  it('has the signature on a text that came without details', () => {
    expect(parts({ reasoning: 'Hm.' }, { reasoning_details: [signature] })).toEqual([
      { kind: 'reasoning', text: 'Hm.', bound },
    ]);
  });

  it('has a signature once if the service repeats it', () => {
    expect(parts({ reasoning_details: [signature] }, { reasoning_details: [signature] })).toHaveLength(1);
  });

  it('has reasoning that differs from the details in a part of its own', () => {
    const detail = { type: 'reasoning.text', text: 'Signed.', ...claude };
    expect(
      parts({ reasoning: 'Other.', reasoning_details: [detail] }, { reasoning_details: [signature] }),
    ).toMatchObject([{ text: 'Other.' }, { text: 'Signed.', bound: { value: expect.stringContaining('EqoB') } }]);
  });
});

describe('a signature after other content', () => {
  it('is sent with its text if a client of another format received them apart', () => {
    const { body } = requestVia(messagesCodec, chatCodec, {
      max_tokens: 100,
      messages: [
        question,
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm.', signature: '' },
            { type: 'text', text: 'Hi.' },
            {
              type: 'thinking',
              thinking: '',
              signature: `gw1.here.${JSON.stringify([{ type: 'reasoning.text', signature: 'EqoB', ...claude }])}`,
            },
          ],
        },
        question,
      ],
    });
    expect(toObjects(body.messages)[1]).toEqual({
      role: 'assistant',
      content: 'Hi.',
      reasoning_details: [{ type: 'reasoning.text', text: 'Hm.', signature: 'EqoB', ...claude }],
    });
  });
});
