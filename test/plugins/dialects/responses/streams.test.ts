import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AnswerEvent } from '../../../../schema/conversation/answer.ts';
import type { Part } from '../../../../schema/conversation/conversation.ts';
import { foldAnswer } from '../../../../schema/conversation/fold-answer.ts';
import { errorReport } from '../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { lawRuns } from '../../../support/run/law-runs.ts';
import { answerEvents } from '../support/answer-events.ts';
import { answers } from '../support/arbitraries/answers.ts';
import { answerOptions, chatCodec, here, messagesCodec, responsesCodec, streamVia } from '../support/codecs.ts';
import { fixture } from '../support/fixture.ts';
import { toEvents, toFrames, toText } from '../support/frames.ts';

const decode = (text: string): readonly AnswerEvent[] => toEvents(responsesCodec.streamDecoder(here), toFrames(text));
const toParts = (text: string): readonly Part[] => foldAnswer(decode(text)).choices[0]?.parts ?? [];

const stream = (...events: readonly JsonObject[]): string =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');

const created = { type: 'response.created', response: { id: 'resp_1', model: 'm', created_at: 1 } };
const completed = (...output: readonly JsonObject[]): JsonObject => ({
  type: 'response.completed',
  response: { id: 'resp_1', model: 'm', status: 'completed', output },
});
const call = { type: 'function_call', id: 'fc_1', call_id: 'a', name: 'f', arguments: '{"a":1}' };
const message = (text: string, more: JsonObject = {}): JsonObject => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  content: [{ type: 'output_text', text, ...more }],
});

describe('reasoning in a stream for a responses client', () => {
  const reasoning = (more: object): AnswerEvent => ({ kind: 'reasoning', choice: 0, block: 0, ...more });
  const toSummary = (...events: readonly AnswerEvent[]): unknown => {
    const encoder = responsesCodec.streamEncoder(answerOptions);
    const finish: AnswerEvent = { kind: 'finish', choice: 0, finish: { reason: 'stop' } };
    const frames = [...events, finish, { kind: 'end' as const }].flatMap((event) => encoder.push(event));
    const [part] = toParts(toText(frames));
    return part?.kind === 'reasoning' ? part.summary : undefined;
  };

  it('has its text as a part of the summary, whenever it arrives', () => {
    const second = reasoning({ summary: { index: 1, text: 'B' } });
    const first = reasoning({ summary: { index: 0, text: 'A' } });
    expect(toSummary(reasoning({ text: 'T' }), reasoning({ text: 'U' }))).toEqual(['TU']);
    expect(toSummary(reasoning({ text: 'T' }), first, reasoning({ text: 'U' }), second)).toEqual(['TU', 'A', 'B']);
    expect(toSummary(first, reasoning({ text: 'T' }), first, second)).toEqual(['AA', 'T', 'B']);
  });

  it('is read back unchanged in the next turn', () => {
    const encoder = responsesCodec.streamEncoder(answerOptions);
    const bound = { scope: 'claude', kind: 'signature', value: 'sig' } as const;
    const events: readonly AnswerEvent[] = [
      reasoning({ text: 'Let me ' }),
      reasoning({ text: 'think.' }),
      reasoning({ bound }),
      { kind: 'finish', choice: 0, finish: { reason: 'stop' } },
      { kind: 'end' },
    ];
    const frames = toFrames(toText(events.flatMap((event) => encoder.push(event))));
    const last = JSON.parse(frames.at(-1)?.data ?? '{}') as { response: { output: JsonObject[] } };
    const { turns } = responsesCodec.decodeRequest({ model: 'm', input: last.response.output }, here);
    expect(turns[0]?.parts).toEqual([{ kind: 'reasoning', text: 'Let me think.', bound }]);
  });
});

describe('a responses stream', () => {
  const ended = (response: JsonObject): AnswerEvent | undefined =>
    decode(
      stream(created, {
        type: 'response.completed',
        response: { id: 'resp_1', model: 'm', output: [message('Hi')], ...response },
      }),
    ).at(response.status === 'incomplete' ? -2 : -1);

  it('that ends with response.completed has the finish reason of an incomplete response', () => {
    expect(ended({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } })).toEqual({
      kind: 'finish',
      choice: 0,
      finish: { reason: 'length', raw: 'max_output_tokens' },
    });
  });

  it.each(['failed', 'cancelled'])('that ends with response.completed is an error if its response is %s', (status) => {
    const error = { code: 'server_error', message: 'The model broke down.' };
    expect(ended({ status, error })).toMatchObject({ kind: 'error', error });
    expect(ended({ status: 'completed', error: null })).toEqual({ kind: 'end' });
  });

  it('counts the parts of a summary, whatever their indexes are', () => {
    const summarise = (index: number, delta: string): JsonObject => ({
      type: 'response.reasoning_summary_text.delta',
      output_index: 0,
      summary_index: index,
      delta,
    });
    const parts = [summarise(4e9, 'One'), summarise(-1, 'two'), summarise(4e9, '.')];
    expect(toParts(stream(created, ...parts, completed()))).toEqual([
      { kind: 'reasoning', text: '', summary: ['One.', 'two'] },
    ]);
  });

  it('is decoded into reasoning, text, calls, a finish reason and usage', () => {
    expect(foldAnswer(decode(fixture('responses-reasoning-and-tools.sse')))).toMatchObject({
      id: 'resp_7',
      model: 'gpt-5-mini-2025-08-07',
      created: 1_760_000_000,
      choices: [
        {
          finish: { reason: 'tool-calls' },
          parts: [
            {
              kind: 'reasoning',
              text: '',
              summary: ['**Weather**\n\nTwo tools.'],
              bound: { scope: 'here', kind: 'encrypted', value: 'Z0FBQQ' },
            },
            { kind: 'text', text: 'Let me look — ' },
            { kind: 'tool-call', id: 'call_a', name: 'get_weather', arguments: '{"city":"Lyon"}' },
            { kind: 'tool-call', id: 'call_b', name: 'get_time', arguments: '{}' },
          ],
        },
      ],
      usage: { input: 80, output: 31, cacheRead: 64, reasoning: 9, tier: 'default' },
    });
  });

  it("is decoded into calls of the provider's own tools and cited text", () => {
    const [choice] = foldAnswer(decode(fixture('responses-web-search.sse'))).choices;
    expect(choice).toMatchObject({
      finish: { reason: 'length' },
      parts: [
        { kind: 'server-tool-call', name: 'web_search', value: { type: 'web_search_call', status: 'completed' } },
        { kind: 'server-tool-result', text: 'https://a.example/lyon' },
        {
          kind: 'text',
          text: 'Sunny (a.example).',
          citations: [{ url: 'https://a.example/lyon', title: 'Lyon', span: { from: 6, to: 17 } }],
        },
      ],
    });
  });

  it('is cut off without its last event', () => {
    const frames = toFrames(fixture('responses-web-search.sse')).slice(0, -1);
    expect(toEvents(responsesCodec.streamDecoder(here), frames).at(-1)).toMatchObject({
      kind: 'error',
      error: { code: 'stream-cut' },
    });
    expect(decode(`${stream(created)}data: [DONE]\n\n`).at(-1)).toMatchObject({ error: { code: 'stream-cut' } });
  });

  it('ends at an error, whatever follows', () => {
    expect(decode(fixture('responses-failed.sse')).slice(1)).toEqual([
      {
        kind: 'error',
        error: {
          message: 'You exceeded your quota.',
          type: 'insufficient_quota',
          code: 'insufficient_quota',
          status: 429,
        },
      },
    ]);
    expect(decode(stream(created, { error: { message: 'Gone' } }, completed())).at(-1)).toEqual({
      kind: 'error',
      error: { message: 'Gone' },
    });
    expect(decode('data: <html>\n\n').at(-1)).toMatchObject({ kind: 'error' });
  });

  it('may send content only at the end of an item or of the response', () => {
    const added = { type: 'response.output_item.added', output_index: 0, item: { ...call, arguments: '' } };
    const done = { type: 'response.output_item.done', output_index: 0, item: call };
    const parts = [{ kind: 'tool-call', id: 'a', name: 'f', arguments: '{"a":1}' }];
    expect(toParts(stream(created, added, done, completed()))).toEqual(parts);
    expect(toParts(stream(created, done, completed(call)))).toEqual(parts);
    expect(toParts(stream(created, completed(call)))).toEqual(parts);
    expect(toParts(stream(completed(call, message('Hi'))))).toEqual([...parts, { kind: 'text', text: 'Hi' }]);
  });

  it('ignores content that its last events repeat, whatever their ids', () => {
    const delta = { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'Hel' };
    const done = { type: 'response.output_item.done', output_index: 0, item: message('Hello') };
    expect(toParts(stream(created, delta, done, completed(message('Hello'))))).toEqual([
      { kind: 'text', text: 'Hello' },
    ]);
    const other = { ...message('Hello'), id: 'msg_2' };
    expect(toParts(stream(created, delta, done, completed(other)))).toEqual([{ kind: 'text', text: 'Hello' }]);
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['neither', {}, {}],
    ['only the id', { item_id: 'msg_1' }, { item_id: 'fc_1' }],
  ])('passes on events immediately if, of index and id, they have %s', (_, ofText, ofCall) => {
    const added = (item: JsonObject) => ({ type: 'response.output_item.added', item });
    const done = (item: JsonObject) => ({ type: 'response.output_item.done', item });
    const text = { type: 'response.output_text.delta', delta: 'Hi', ...ofText };
    const argument = { type: 'response.function_call_arguments.delta', delta: '{"a":1}', ...ofCall };
    const events = [
      ...[created, added({ ...message(''), content: [] }), text, done(message('Hi'))],
      ...[added({ ...call, arguments: '' }), argument, done(call)],
    ];
    expect(decode(stream(created, text)).map(({ kind }) => kind)).toEqual(['start', 'text', 'error']);
    for (const last of [completed(), completed(message('Hi'), call)])
      expect(toParts(stream(...events, last))).toEqual([
        { kind: 'text', text: 'Hi' },
        { kind: 'tool-call', id: 'a', name: 'f', arguments: '{"a":1}' },
      ]);
  });

  it('may send log probabilities with the deltas or at the end', () => {
    const logprobs = [{ token: 'Hi', logprob: -1, top_logprobs: [] }];
    const delta = { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'Hi' };
    const done = { type: 'response.output_item.done', output_index: 0, item: message('Hi', { logprobs }) };
    const part = { kind: 'text', text: 'Hi', logprobs: [{ token: 'Hi', logprob: -1 }] };
    expect(toParts(stream(created, { ...delta, logprobs }, done, completed()))).toEqual([part]);
    expect(toParts(stream(created, delta, done, completed()))).toEqual([part]);
  });

  it('ignores unknown events, and [DONE] at its end', () => {
    const text = stream(created, { type: 'response.news', output_index: 0 }, { type: 'keepalive' }, completed());
    expect(decode(`${text}data: [DONE]\n\n`).map(({ kind }) => kind)).toEqual(['start', 'finish', 'end']);
  });
});

describe('a stream for a responses client', () => {
  it('has each item from its start to its end, and all items in the last event', () => {
    const text = streamVia(messagesCodec, responsesCodec, fixture('messages-thinking-and-tools.sse'));
    const events = toFrames(text).map(({ event, data }) => ({ event, wire: JSON.parse(data) as JsonObject }));
    expect(events.map(({ event }) => event?.replace('response.', ''))).toEqual([
      ...['created', 'in_progress'],
      ...['output_item.added', 'reasoning_summary_part.added'],
      ...['reasoning_summary_text.delta', 'reasoning_summary_text.delta'],
      ...['reasoning_summary_text.done', 'reasoning_summary_part.done', 'output_item.done'],
      ...['output_item.added', 'content_part.added', 'output_text.delta', 'output_text.delta'],
      ...['output_text.done', 'content_part.done', 'output_item.done'],
      ...['output_item.added', 'function_call_arguments.delta', 'function_call_arguments.delta'],
      ...['function_call_arguments.done', 'output_item.done'],
      ...['output_item.added', 'function_call_arguments.delta'],
      ...['function_call_arguments.done', 'output_item.done'],
      'completed',
    ]);
    expect(events.map(({ wire }) => wire.type)).toEqual(events.map(({ event }) => event));
    expect(events.map(({ wire }) => wire.sequence_number)).toEqual(events.map((_, index) => index));
    const items = events.flatMap(({ event, wire }) => (event === 'response.output_item.done' ? [wire.item] : []));
    expect(events.at(-1)?.wire).toMatchObject({ response: { status: 'completed', output: items, store: false } });
  });

  it('numbers its events from 0, each by one more than the one before', () => {
    const law = fc.property(answers, fc.boolean(), fc.nat(4), (answer, interleaved, at) => {
      const empty: AnswerEvent = { kind: 'reasoning', choice: 0, block: 90, summary: { index: at, text: '' } };
      const events = answerEvents(answer, { size: 2, interleaved }).toSpliced(at + 1, 0, empty);
      const encoder = responsesCodec.streamEncoder(answerOptions);
      const frames = [...events.flatMap((event) => encoder.push(event)), ...encoder.end()];
      const numbers = frames.map(({ data }) => (JSON.parse(data) as JsonObject).sequence_number);
      expect(numbers).toEqual(numbers.map((_, index) => index));
    });
    fc.assert(law, lawRuns);
  });

  it('has a message with the text and the refusal of a chat provider', () => {
    const chunk = (delta: JsonObject, finish: string | null = null): JsonObject => ({
      id: 'c',
      created: 1,
      model: 'm',
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
    const text = streamVia(
      chatCodec,
      responsesCodec,
      stream(chunk({ content: 'Well.' }), chunk({ refusal: 'No.' }), chunk({}, 'length')),
    );
    expect(toFrames(text).map(({ event }) => event)).toContain('response.refusal.delta');
    expect(JSON.parse(toFrames(text).at(-1)?.data ?? '')).toMatchObject({
      type: 'response.incomplete',
      response: {
        status: 'incomplete',
        incomplete_details: { reason: 'max_output_tokens' },
        output: [
          {
            type: 'message',
            status: 'incomplete',
            content: [
              { type: 'output_text', text: 'Well.' },
              { type: 'refusal', refusal: 'No.' },
            ],
          },
        ],
        usage: null,
      },
    });
  });

  it('keeps parallel calls apart if their pieces are interleaved', () => {
    const piece = (index: number, rest: JsonObject): JsonObject => ({
      id: 'c',
      model: 'm',
      choices: [{ index: 0, delta: { tool_calls: [{ index, ...rest }] }, finish_reason: null }],
    });
    const text = streamVia(
      chatCodec,
      responsesCodec,
      stream(
        piece(0, { id: 'a', function: { name: 'f', arguments: '{"x"' } }),
        piece(1, { id: 'b', function: { name: 'g', arguments: '{"y"' } }),
        piece(0, { function: { arguments: ':1}' } }),
        piece(1, { function: { arguments: ':2}' } }),
        { id: 'c', model: 'm', choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
      ),
    );
    expect(toParts(text)).toMatchObject([
      { id: 'a', arguments: '{"x":1}' },
      { id: 'b', arguments: '{"y":2}' },
    ]);
  });

  it('has a citation without a span as one of the whole text', () => {
    const encoder = responsesCodec.streamEncoder(answerOptions);
    const at = { choice: 0, block: 0 };
    const events: readonly AnswerEvent[] = [
      { kind: 'citation', ...at, citation: { url: 'https://a.example', title: 'A' } },
      { kind: 'text', ...at, text: 'Hello' },
      { kind: 'finish', choice: 0, finish: { reason: 'stop' } },
      { kind: 'end' },
    ];
    expect(toParts(toText(events.flatMap((event) => encoder.push(event))))).toEqual([
      { kind: 'text', text: 'Hello', citations: [{ url: 'https://a.example', title: 'A', span: { from: 0, to: 5 } }] },
    ]);
  });

  it('has each item of its own format only once', () => {
    const text = streamVia(responsesCodec, responsesCodec, fixture('responses-web-search.sse'));
    expect(toParts(text)).toEqual(toParts(fixture('responses-web-search.sse')));
    expect(text.match(/"type":"response.output_item.done"/g)).toHaveLength(2);
  });

  it('ends with an error and a failed response if the provider fails or is cut off', () => {
    for (const text of [
      streamVia(messagesCodec, responsesCodec, fixture('messages-overloaded.sse')),
      streamVia(responsesCodec, responsesCodec, fixture('responses-failed.sse')),
      streamVia(responsesCodec, responsesCodec, stream(created)),
    ]) {
      const events = toFrames(text).map(({ event }) => event);
      expect(events.slice(-2)).toEqual(['error', 'response.failed']);
      expect(text).not.toMatch(/response\.(?:completed|incomplete)/);
    }
    const [error, failed] = toFrames(streamVia(messagesCodec, responsesCodec, fixture('messages-overloaded.sse')))
      .slice(-2)
      .map(({ data }) => JSON.parse(data) as JsonObject);
    expect(error).toMatchObject({ type: 'error', message: 'Overloaded', error: { message: 'Overloaded' } });
    expect(failed).toMatchObject({ response: { status: 'failed', error: { code: 'overloaded_error' }, usage: null } });
  });
});

describe('a stream encoder of responses', () => {
  const start: AnswerEvent = { kind: 'start', id: 'a', model: 'm' };
  const finish: AnswerEvent = { kind: 'finish', choice: 0, finish: { reason: 'stop' } };

  it('ends once, and writes nothing afterwards', () => {
    const encoder = responsesCodec.streamEncoder(answerOptions);
    for (const event of [start, finish]) encoder.push(event);
    expect(toText(encoder.push({ kind: 'end' }))).toContain('event: response.completed');
    expect([...encoder.end(), ...encoder.push(finish), ...encoder.fail(errorReport('stream-cut', {}))]).toEqual([]);
  });

  it('writes nothing after a failure', () => {
    const encoder = responsesCodec.streamEncoder(answerOptions);
    encoder.push(start);
    expect(toText(encoder.fail(errorReport('stream-idle', { ms: 5 })))).toContain('stream-idle');
    expect([...encoder.push(finish), ...encoder.push({ kind: 'end' }), ...encoder.end()]).toEqual([]);
  });

  it('reports a cut-off stream if it never started or has no finish reason', () => {
    const encoder = responsesCodec.streamEncoder(answerOptions);
    expect(toText(responsesCodec.streamEncoder(answerOptions).end())).toContain('stream-cut');
    encoder.push(start);
    expect(toText(encoder.end())).toContain('stream-cut');
  });
});
