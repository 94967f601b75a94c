import { describe, expect, it } from 'vitest';
import { builtinDialects } from '../../../../plugins/dialects/builtin-dialects.ts';
import type { ConversationCodec } from '../../../../plugins/sdk/dialect/dialect.ts';
import type { Answer } from '../../../../schema/conversation/answer.ts';
import { foldAnswer } from '../../../../schema/conversation/fold-answer.ts';
import { unfoldAnswer } from '../../../../schema/conversation/unfold-answer.ts';
import { exactText, fromExactJson } from '../../../../schema/json/exact-numbers.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { answerOptions, answerVia, here, streamVia } from '../support/codecs.ts';
import { toEvents, toFrames, toText } from '../support/frames.ts';

const later = { yet_to_come: [1, { a: null }] };

/** A call of `f` in an answer, with members that a conversation does not have, whole and as a vendor streams it. */
interface Extended {
  readonly whole: JsonObject;
  readonly frames: readonly JsonObject[];
  readonly own: JsonObject;
}

const chatChunk = (delta: JsonObject, finish_reason: string | null = null): JsonObject => ({
  id: 'a',
  model: 'm',
  choices: [{ index: 0, delta, finish_reason }],
});
const chatPiece = (piece: JsonObject): JsonObject => chatChunk({ tool_calls: [{ index: 0, ...piece }] });

const caller = { type: 'code_execution_20260120', tool_id: 'srvtoolu_1' };
const toolUse = { type: 'tool_use', id: 'c', name: 'f', input: {}, caller, toolset_name: 't' };

const item = { type: 'function_call', id: 'fc_a_0', call_id: 'c', name: 'f', namespace: 'n', async: true, ...later };
const called = { ...item, status: 'completed', arguments: '{}' };

const geminiAnswer = {
  candidates: [
    {
      index: 0,
      content: {
        role: 'model',
        parts: [{ functionCall: { id: 'c', name: 'f', args: {}, ...later }, partMetadata: { a: 1 } }],
      },
      finishReason: 'STOP',
    },
  ],
};

const cohereCall = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}', ...later }, namespace: 'n' };

const dialects: Readonly<Record<string, Extended>> = {
  chat: {
    whole: {
      id: 'a',
      model: 'm',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            tool_calls: [
              { id: 'c', type: 'function', function: { name: 'f', arguments: '{}', ...later }, namespace: 'n' },
            ],
          },
          finish_reason: 'tool_calls',
        },
      ],
    },
    frames: [
      // The name comes last.
      chatPiece({ id: 'c', type: 'function', function: later }),
      chatPiece({ namespace: 'n' }),
      chatPiece({ function: { name: 'f' } }),
      chatPiece({ function: { arguments: '{}' } }),
      chatChunk({}, 'tool_calls'),
    ],
    own: { namespace: 'n', function: later },
  },
  messages: {
    whole: {
      id: 'a',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [toolUse],
      stop_reason: 'tool_use',
      stop_sequence: null,
    },
    frames: [
      { type: 'message_start', message: { id: 'a', model: 'm', content: [] } },
      { type: 'content_block_start', index: 0, content_block: toolUse },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{}' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
      { type: 'message_stop' },
    ],
    own: { caller, toolset_name: 't' },
  },
  responses: {
    whole: { id: 'a', object: 'response', model: 'm', status: 'completed', output: [called] },
    frames: [
      { type: 'response.created', response: { id: 'a', model: 'm' } },
      { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress', arguments: '' } },
      { type: 'response.function_call_arguments.delta', output_index: 0, item_id: 'fc_a_0', delta: '{}' },
      { type: 'response.output_item.done', output_index: 0, item: called },
      { type: 'response.completed', response: { id: 'a', model: 'm', status: 'completed', output: [called] } },
    ],
    own: { namespace: 'n', async: true, ...later },
  },
  gemini: { whole: geminiAnswer, frames: [geminiAnswer], own: { partMetadata: { a: 1 }, functionCall: later } },
  converse: {
    whole: {
      output: {
        message: { role: 'assistant', content: [{ toolUse: { toolUseId: 'c', name: 'f', input: {}, ...later } }] },
      },
      stopReason: 'tool_use',
    },
    frames: [
      { messageStart: { role: 'assistant' } },
      { contentBlockStart: { contentBlockIndex: 0, start: { toolUse: { toolUseId: 'c', name: 'f', ...later } } } },
      { contentBlockDelta: { contentBlockIndex: 0, delta: { toolUse: { input: '{}' } } } },
      { contentBlockStop: { contentBlockIndex: 0 } },
      { messageStop: { stopReason: 'tool_use' } },
    ],
    own: { toolUse: later },
  },
  cohere: {
    whole: { id: 'a', finish_reason: 'TOOL_CALL', message: { role: 'assistant', tool_calls: [cohereCall] } },
    frames: [
      { type: 'message-start', id: 'a' },
      {
        type: 'tool-call-start',
        index: 0,
        delta: { message: { tool_calls: { ...cohereCall, function: { ...cohereCall.function, arguments: '' } } } },
      },
      { type: 'tool-call-delta', index: 0, delta: { message: { tool_calls: { function: { arguments: '{}' } } } } },
      { type: 'tool-call-end', index: 0 },
      { type: 'message-end', delta: { finish_reason: 'TOOL_CALL' } },
    ],
    own: { namespace: 'n', function: later },
  },
};

const codecs: ReadonlyMap<string, ConversationCodec> = new Map(
  builtinDialects.flatMap(({ id, conversation }) => (conversation === undefined ? [] : [[id, conversation] as const])),
);

const find = (id: string): Extended & { readonly codec: ConversationCodec } => {
  const codec = codecs.get(id);
  const own = dialects[id];
  if (codec === undefined || own === undefined) return expect.unreachable(`There is no answer of ${id}.`);
  return { codec, ...own };
};

/** Writes frames as a stream: the event of one of Bedrock's is the name of its only member. */
const toStream = (id: string, frames: readonly JsonObject[]): string =>
  toText(
    frames.map((frame) => {
      if (id !== 'converse') return { data: JSON.stringify(frame) };
      const [event = '', data] = Object.entries(frame)[0] ?? [];
      return { event, data: JSON.stringify(data) };
    }),
  );

const toCalls = ({ choices }: Answer): readonly unknown[] =>
  choices.flatMap(({ parts }) => parts.filter(({ kind }) => kind === 'tool-call'));

const ids = [...codecs.keys()];
const pairs = ids.flatMap((from) => ids.filter((to) => to !== from).map((to): [string, string] => [from, to]));

describe('members of calls in answers that only one dialect has', () => {
  it.each(ids)('are read from whole answers and streams of %s', (id) => {
    const { codec, whole, frames, own } = find(id);
    const call = { kind: 'tool-call', id: 'c', name: 'f', arguments: '{}', extensions: { [id]: own } };
    expect(toCalls(codec.decodeAnswer(whole, here))).toEqual([call]);
    const events = toEvents(codec.streamDecoder(here), toFrames(toStream(id, frames)));
    expect(toCalls(foldAnswer(events))).toEqual([call]);
  });

  it.each(ids)('are kept if an answer of %s is encoded again, whole, as a stream, or as the other', (id) => {
    const { codec, whole, frames } = find(id);
    const answer = codec.decodeAnswer(whole, here);
    expect(answerVia(codec, codec, whole)).toMatchObject(whole);
    const read = (text: string): readonly unknown[] =>
      toCalls(foldAnswer(toEvents(codec.streamDecoder(here), toFrames(text))));
    expect(read(streamVia(codec, codec, toStream(id, frames)))).toEqual(toCalls(answer));
    const encoder = codec.streamEncoder(answerOptions);
    expect(read(toText(unfoldAnswer(answer).flatMap((event) => encoder.push(event))))).toEqual(toCalls(answer));
  });

  it.each(pairs)('of %s are not written in %s, which declares it', (from, to) => {
    const { codec, whole, frames, own } = find(from);
    const target = find(to).codec;
    const given = `${JSON.stringify(answerVia(codec, target, whole))}${streamVia(codec, target, toStream(from, frames))}`;
    for (const name of ['yet_to_come', ...Object.keys(own)].filter(
      (each) => !/^(?:function|functionCall|toolUse)$/.test(each),
    ))
      expect(given).not.toContain(name);
    expect(target.losses.map(({ member }) => member)).toContain('choices.parts.extensions');
  });

  it('of the function are kept if a call is written as a deprecated function_call', () => {
    const { codec, whole } = find('chat');
    const legacy = { ...answerOptions, request: () => ({ functions: [{ name: 'f' }] }) };
    expect(answerVia(codec, codec, whole, legacy)).toMatchObject({
      choices: [{ message: { function_call: { name: 'f', arguments: '{}', ...later } } }],
    });
  });

  it('keep all digits of their numbers', () => {
    const { codec, whole } = find('messages');
    const most = '12345678901234567890';
    const body = fromExactJson(JSON.stringify(whole).replace('"srvtoolu_1"', most)) as JsonObject;
    const written = exactText(codec.encodeAnswer(codec.decodeAnswer(body, here), answerOptions));
    expect(written).toContain(`"tool_id":${most}`);
  });
});
