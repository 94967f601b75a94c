import { describe, expect, it } from 'vitest';
import { encodeFinish } from '../../../../plugins/dialects/chat/answer/finish-reasons.ts';
import type { Answer, AnswerEvent } from '../../../../schema/conversation/answer.ts';
import type { Part } from '../../../../schema/conversation/conversation.ts';
import { foldAnswer } from '../../../../schema/conversation/fold-answer.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { toObjects } from '../../../../schema/json/loose.ts';
import { roundTripAnswer, toAnswer } from '../support/both-ways.ts';
import { answerOptions, answerVia, chatCodec, here, messagesCodec, streamVia } from '../support/codecs.ts';
import { toEvents, toFrames, toText } from '../support/frames.ts';

const answer = (message: JsonObject, more: JsonObject = {}): Answer =>
  chatCodec.decodeAnswer(
    { id: 'a', model: 'm', choices: [{ index: 0, message, finish_reason: 'stop', ...more }] },
    here,
  );

const findParts = ({ choices }: Answer): readonly Part[] | undefined => choices[0]?.parts;

const thought: Part = { kind: 'reasoning', text: '', bound: { scope: 'there', kind: 'thought', value: 'sig' } };
const call: Part = { kind: 'tool-call', id: 'c', name: 'f', arguments: '{}' };

const stream = (...chunks: readonly JsonObject[]): Answer => {
  const text = chunks.map((choice) => `data: ${JSON.stringify({ id: 'a', model: 'm', choices: [choice] })}\n\n`);
  return foldAnswer(toEvents(chatCodec.streamDecoder(here), toFrames(`${text.join('')}data: [DONE]\n\n`)));
};

describe('an answer for chat clients, whole and streamed', () => {
  it.each<[string, readonly Part[]]>([
    [
      'citations of pages with their positions',
      [
        {
          kind: 'text',
          text: 'Sunny in Lyon.',
          citations: [{ url: 'https://a.example', title: 'Weather', quote: 'sun', span: { from: 9, to: 13 } }],
        },
      ],
    ],
    [
      'log probabilities',
      [
        {
          kind: 'text',
          text: 'Hi!',
          logprobs: [
            { token: 'Hi', logprob: -0.5, bytes: [72, 105], top: [{ token: 'Ho', logprob: -2 }] },
            { token: '!', logprob: -1 },
          ],
        },
      ],
    ],
    ['the call of a custom tool', [{ kind: 'tool-call', id: 'c', name: 'sql', arguments: 'a\nb', input: 'text' }]],
    [
      'images',
      [
        { kind: 'media', media: 'image', source: { kind: 'base64', mimeType: 'image/png', data: 'AAAA' } },
        { kind: 'media', media: 'image', source: { kind: 'url', url: 'https://a.example/b.png' } },
      ],
    ],
    [
      'audio and its transcript',
      [
        { kind: 'text', text: 'Hello.' },
        { kind: 'media', media: 'audio', source: { kind: 'base64', mimeType: 'audio/wav', data: 'UklGRgAA' } },
      ],
    ],
    ['a thought signature on the call that it belongs to', [thought, call]],
  ])('keeps %s', (_what, parts) => {
    const { whole, streamed } = roundTripAnswer(chatCodec, toAnswer(parts));
    expect(findParts(whole)).toEqual(parts);
    expect(findParts(streamed)).toEqual(parts);
  });

  it('has citation offsets that count from the start of the whole content', () => {
    const parts: readonly Part[] = [
      { kind: 'text', text: 'One. ' },
      { kind: 'text', text: 'Two.', citations: [{ url: 'https://a.example' }, { source: 0, quote: 'no page' }] },
    ];
    const { wire, streamed } = roundTripAnswer(chatCodec, toAnswer(parts));
    const annotation = { url: 'https://a.example', title: '', start_index: 5, end_index: 9 };
    expect(wire).toMatchObject({
      choices: [{ message: { annotations: [{ type: 'url_citation', url_citation: annotation }] } }],
    });
    expect(findParts(streamed)).toMatchObject([{ citations: [{ span: { from: 5, to: 9 } }] }]);
  });

  it('has its text as the transcript of its audio', () => {
    const { wire } = roundTripAnswer(
      chatCodec,
      toAnswer([
        { kind: 'text', text: 'Hello.' },
        { kind: 'media', media: 'audio', source: { kind: 'base64', mimeType: 'audio/wav', data: 'UklGRgAA' } },
      ]),
    );
    expect(wire).toMatchObject({
      choices: [{ message: { content: null, audio: { data: 'UklGRgAA', transcript: 'Hello.' } } }],
    });
  });

  it('has an encrypted value on the call for a strict client, and in a block for other clients', () => {
    const encrypted: Part = { kind: 'reasoning', text: '', bound: { scope: 'there', kind: 'encrypted', value: 'xx' } };
    const strict = roundTripAnswer(chatCodec, toAnswer([encrypted, call]));
    const signature = { extra_content: { google: { thought_signature: 'gw1.there.xx' } } };
    expect(strict.wire).toMatchObject({ choices: [{ message: { tool_calls: [signature] } }] });
    expect(findParts(strict.streamed)).toEqual(findParts(strict.whole));
    const loose = roundTripAnswer(chatCodec, toAnswer([encrypted, call]), false);
    expect(findParts(loose.whole)).toEqual([encrypted, call]);
    expect(findParts(loose.streamed)).toEqual([encrypted, call]);
  });

  it('has each signature on its own call, whether or not the client is strict', () => {
    const second: Part = { kind: 'tool-call', id: 'd', name: 'g', arguments: '{}' };
    for (const strict of [true, false]) {
      const { whole, streamed } = roundTripAnswer(chatCodec, toAnswer([call, thought, second]), strict);
      expect(findParts(whole)).toEqual([call, thought, second]);
      expect(findParts(streamed)).toEqual([call, thought, second]);
    }
  });

  it('has no signature on a call if it signs text that a strict client does not receive', () => {
    const signed: Part = { kind: 'reasoning', text: 'Hm', bound: { scope: 'there', kind: 'signature', value: 'sig' } };
    const { whole, streamed } = roundTripAnswer(chatCodec, toAnswer([signed, call]));
    expect(findParts(whole)).toEqual([call]);
    expect(findParts(streamed)).toEqual([call]);
  });

  it('has a thought signature that belongs to no call on the message if the client is strict', () => {
    const { wire, whole, streamed } = roundTripAnswer(chatCodec, toAnswer([thought, { kind: 'text', text: 'Hi' }]));
    const extra = { extra_content: { google: { thought_signature: 'gw1.there.sig' } } };
    expect(wire).toMatchObject({ choices: [{ message: { content: 'Hi', ...extra } }] });
    expect(findParts(whole)).toEqual([{ kind: 'text', text: 'Hi' }, thought]);
    expect(findParts(streamed)).toEqual([{ kind: 'text', text: 'Hi' }, thought]);
  });

  it('has a reasoning summary as thinking if the client is not strict', () => {
    const parts: readonly Part[] = [
      { kind: 'reasoning', text: '', summary: ['First.', 'Then.'] },
      { kind: 'text', text: 'Hi' },
    ];
    const shown = { kind: 'reasoning', text: 'First.\n\nThen.' };
    const { whole, streamed } = roundTripAnswer(chatCodec, toAnswer(parts), false);
    expect(findParts(whole)?.[0]).toEqual(shown);
    expect(findParts(streamed)?.[0]).toEqual(shown);
  });

  it('reports audio and image tokens and the service tier', () => {
    const usage = {
      input: 9,
      output: 8,
      inputAudio: 1,
      inputImage: 2,
      outputAudio: 3,
      outputImage: 4,
      tier: 'priority',
    };
    const { wire, whole, streamed } = roundTripAnswer(chatCodec, toAnswer([], { usage }));
    expect(wire).toMatchObject({
      service_tier: 'priority',
      usage: {
        prompt_tokens_details: { audio_tokens: 1, image_tokens: 2 },
        completion_tokens_details: { audio_tokens: 3, image_tokens: 4 },
      },
    });
    expect(whole.usage).toMatchObject(usage);
    expect(streamed.usage).toMatchObject(usage);
  });
});

describe('an answer from a chat provider', () => {
  it('keeps annotations and log probabilities that a conversation cannot express', () => {
    const file = { type: 'file_citation', file_citation: { file_id: 'f' } };
    const page = { type: 'url_citation', url_citation: { url: 'https://a.example', start_index: 0, end_index: 2 } };
    const logprobs = { content: null, refusal: [{ token: 'No', logprob: -1, bytes: null, top_logprobs: [] }] };
    const read = answer({ content: 'Hi', annotations: [file, page] }, { logprobs });
    expect(findParts(read)).toEqual([
      { kind: 'text', text: 'Hi', citations: [{ url: 'https://a.example', span: { from: 0, to: 2 } }] },
    ]);
    const [choice] = chatCodec.encodeAnswer(read, answerOptions).choices as readonly JsonObject[];
    expect(choice).toMatchObject({ logprobs });
    expect(JSON.stringify(choice)).toContain('"annotations":[{"type":"url_citation"');
    expect(JSON.stringify(choice)).toContain('{"type":"file_citation"');
  });

  it('joins streamed audio from pieces that are Base64-encoded separately', () => {
    const read = stream(
      { index: 0, delta: { role: 'assistant', audio: { id: 'audio_1', transcript: 'Hel' } } },
      { index: 0, delta: { audio: { transcript: 'lo.', data: Buffer.from('ab').toString('base64') } } },
      { index: 0, delta: { audio: { data: Buffer.from('cde').toString('base64') } } },
      { index: 0, delta: {}, finish_reason: 'stop' },
    );
    const data = Buffer.from('abcde').toString('base64');
    expect(findParts(read)).toEqual([
      { kind: 'text', text: 'Hello.' },
      { kind: 'media', media: 'audio', source: { kind: 'base64', mimeType: 'audio/pcm', data } },
    ]);
  });

  it.each([
    ['UklGRgAA', 'audio/wav'],
    ['ZkxhQwAA', 'audio/flac'],
    ['T2dnUwAA', 'audio/ogg'],
    ['SUQzBAAA', 'audio/mpeg'],
    ['//uQxAAA', 'audio/mpeg'],
    ['//8AAP//', 'audio/pcm'],
  ])('has the audio type that its first bytes indicate (%s)', (data, mimeType) => {
    expect(findParts(answer({ content: null, audio: { data, transcript: '' } }))).toEqual([
      { kind: 'media', media: 'audio', source: { kind: 'base64', mimeType, data } },
    ]);
  });

  it("has Gemini's signatures as thoughts before their calls", () => {
    const wire = {
      id: 'c',
      type: 'function',
      function: { name: 'f', arguments: '{}' },
      extra_content: { google: { thought_signature: 'sig' } },
    };
    const thoughtPart: Part = { kind: 'reasoning', text: '', bound: { scope: 'here', kind: 'thought', value: 'sig' } };
    expect(findParts(answer({ content: null, tool_calls: [wire] }))).toEqual([thoughtPart, call]);
    const read = stream(
      { index: 0, delta: { tool_calls: [{ index: 0, ...wire }] } },
      { index: 0, delta: {}, finish_reason: 'tool_calls' },
    );
    expect(findParts(read)).toEqual([thoughtPart, call]);
  });

  it('has call arguments as text even if the provider sends an object', () => {
    const wire = { id: 'c', type: 'function', function: { name: 'f', arguments: { a: 1 } } };
    const found = [{ ...call, arguments: '{"a":1}' }];
    expect(findParts(answer({ content: null, tool_calls: [wire] }))).toEqual(found);
    const read = stream(
      { index: 0, delta: { tool_calls: [{ index: 0, ...wire }] } },
      { index: 0, delta: {}, finish_reason: 'tool_calls' },
    );
    expect(findParts(read)).toEqual(found);
  });

  it('joins the streamed pieces of a custom tool call', () => {
    const read = stream(
      { index: 0, delta: { tool_calls: [{ index: 0, id: 'c', type: 'custom', custom: { name: 'sql', input: '' } }] } },
      { index: 0, delta: { tool_calls: [{ index: 0, custom: { input: 'select ' } }] } },
      { index: 0, delta: { tool_calls: [{ index: 0, custom: { input: '1' } }] } },
      { index: 0, delta: {}, finish_reason: 'tool_calls' },
    );
    expect(findParts(read)).toEqual([
      { kind: 'tool-call', id: 'c', name: 'sql', arguments: 'select 1', input: 'text' },
    ]);
  });

  it('has the service tier of a stream, whichever chunk reports it', () => {
    const chunks = [
      { id: 'a', model: 'm', service_tier: 'flex', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
      { id: 'a', model: 'm', choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } },
    ];
    const text = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('');
    expect(foldAnswer(toEvents(chatCodec.streamDecoder(here), toFrames(text))).usage?.tier).toBe('flex');
  });
});

describe('the finish reason of a chat answer', () => {
  const wire = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };
  const custom = { id: 'c', type: 'custom', custom: { name: 'f', input: 'a' } };

  /** The same message as a whole answer and as a stream. */
  const both = (message: JsonObject, reason: string | null): { readonly whole: JsonObject; readonly text: string } => {
    const head = { id: 'a', created: 1, model: 'm' };
    const chunks = [
      { ...head, choices: [{ index: 0, delta: message, finish_reason: null }] },
      { ...head, choices: [{ index: 0, delta: {}, finish_reason: reason }] },
    ];
    return {
      whole: { ...head, choices: [{ index: 0, message, finish_reason: reason }] },
      text: `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`,
    };
  };

  const findFinishes = (message: JsonObject, reason: string): readonly unknown[] => {
    const { whole, text } = both(message, reason);
    const streamed = foldAnswer(toEvents(chatCodec.streamDecoder(here), toFrames(text)));
    return [chatCodec.decodeAnswer(whole, here), streamed].map(({ choices }) => choices[0]?.finish);
  };

  it.each([
    ['a tool', { tool_calls: [wire] }],
    ['a custom tool', { tool_calls: [custom] }],
    ['a function', { function_call: wire.function }],
  ])('is "tool-calls" for a call of %s, and keeps the raw reason of the provider', (_what, message) => {
    const finish = { reason: 'tool-calls', raw: 'stop' };
    expect(findFinishes(message, 'stop')).toEqual([finish, finish]);
  });

  it('is "tool-calls" if the answer has calls but no reason', () => {
    const { whole } = both({ tool_calls: [wire] }, null);
    expect(chatCodec.decodeAnswer(whole, here).choices[0]?.finish).toEqual({ reason: 'tool-calls' });
  });

  it.each([
    ['length', 'length'],
    ['content_filter', 'content-filter'],
  ])('stays %s even if the answer has calls', (raw, reason) => {
    expect(findFinishes({ tool_calls: [wire] }, raw)).toEqual([
      { reason, raw },
      { reason, raw },
    ]);
  });

  it('is "stop" if the list of calls is empty', () => {
    const finish = { reason: 'stop', raw: 'stop' };
    expect(findFinishes({ content: 'Hi', tool_calls: [] }, 'stop')).toEqual([finish, finish]);
  });

  it('is "tool_use" for messages clients if the answer has calls', () => {
    const { whole, text } = both({ tool_calls: [wire] }, 'stop');
    expect(answerVia(chatCodec, messagesCodec, whole)).toMatchObject({ stop_reason: 'tool_use' });
    expect(streamVia(chatCodec, messagesCodec, text)).toContain('"stop_reason":"tool_use"');
  });

  it.each([true, false])('is sent to chat clients as the provider wrote it, strict: %s', (strict) => {
    const options = { ...answerOptions, strict };
    const { whole, text } = both({ tool_calls: [wire] }, 'stop');
    expect(answerVia(chatCodec, chatCodec, whole, options)).toMatchObject({ choices: [{ finish_reason: 'stop' }] });
    expect(streamVia(chatCodec, chatCodec, text, options)).toContain('"finish_reason":"stop"');
  });
});

it.each([true, false])(
  "a call of a deprecated function returns to its provider with the provider's signature, strict: %s",
  (strict) => {
    const options = { ...answerOptions, strict, request: () => ({ functions: [{ name: 'f' }] }) };
    const bound = { scope: 'there', kind: 'thought', value: 'sig' } as const;
    const call = { kind: 'tool-call', id: 'c', name: 'f', arguments: '{}' } as const;
    const finish = { reason: 'tool-calls' } as const;
    const parts = [{ kind: 'reasoning', text: '', bound } as const, call];
    const whole = chatCodec.encodeAnswer(
      { id: 'a', model: 'm', choices: [{ index: 0, parts, finish }], extensions: {} },
      options,
    );
    const events: readonly AnswerEvent[] = [
      { kind: 'start', id: 'a', model: 'm' },
      { kind: 'reasoning', choice: 0, block: 0, bound },
      { ...call, choice: 0, block: 1 },
      { kind: 'tool-arguments', choice: 0, block: 1, text: '{}' },
      { kind: 'finish', choice: 0, finish },
      { kind: 'end' },
    ];
    const encoder = chatCodec.streamEncoder(options);
    const text = toText(events.flatMap((event) => encoder.push(event)));
    expect(text).toContain('"finish_reason":"function_call"');
    const [{ message, finish_reason } = {}] = toObjects(whole.choices);
    expect(finish_reason).toBe('function_call');
    const extra_content = { google: { thought_signature: 'gw1.there.sig' } };
    expect(message).toMatchObject({ function_call: { name: 'f', arguments: '{}', extra_content } });
    expect(text).toContain(JSON.stringify({ function_call: { name: 'f', arguments: '', extra_content } }));

    const wire = { model: 'm', functions: [{ name: 'f' }], messages: [{ role: 'user', content: 'Hi' }, message ?? {}] };
    const { turns } = chatCodec.decodeRequest(wire, { ...here, scope: 'there' });
    expect(turns.at(-1)?.parts).toMatchObject([{ kind: 'reasoning', bound: { value: 'sig' } }, { name: 'f' }]);
  },
);

it('a stream for chat clients sends a held signature as a block if no call follows', () => {
  const events: readonly AnswerEvent[] = [
    { kind: 'start', id: 'a', model: 'm' },
    { kind: 'reasoning', choice: 0, block: 0, bound: { scope: 'there', kind: 'thought', value: 'sig' } },
    { kind: 'finish', choice: 0, finish: { reason: 'stop' } },
    { kind: 'end' },
  ];
  const encoder = chatCodec.streamEncoder({ ...answerOptions, strict: false });
  const text = toText(events.flatMap((event) => encoder.push(event)));
  expect(text).toContain('"content_blocks":[{"index":0,"delta":{"signature":"gw1.there.sig"}}]');
});

it('replaces another provider\'s finish reason if it would mean "cut off" in the chat format', () => {
  expect(encodeFinish({ reason: 'other', raw: 'error' }, { strict: false })).toBe('stop');
  expect(encodeFinish({ reason: 'other', raw: 'eos' }, { strict: false })).toBe('eos');
});
