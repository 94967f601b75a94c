import type { Frame } from '../../../../plugins/sdk/dialect/dialect.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import type { dialects } from './judge.ts';
import { google, ofTool, quoting, said, trace } from './samples.ts';

type Id = keyof typeof dialects;

const sse = (data: JsonObject): Frame => ({ event: String(data.type), data: JSON.stringify(data) });

const claudeFrames = (start: JsonObject, deltas: readonly JsonObject[], end: JsonObject = {}): readonly Frame[] =>
  [
    {
      type: 'message_start',
      message: {
        id: 'm',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 1, output_tokens: 1 },
        ...start,
      },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index: 0, delta })),
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: 2 },
      ...end,
    },
    { type: 'message_stop' },
  ].map(sse);

const googleFrames = (candidate: JsonObject, whole: JsonObject = {}): readonly Frame[] =>
  [google([{ text: 'Hi' }], { finishReason: null, ...candidate }, whole), google([{ text: '!' }])].map((data) => ({
    data: JSON.stringify(data),
  }));

const bedrockFrames = (deltas: readonly JsonObject[], stop: JsonObject, metadata: JsonObject): readonly Frame[] =>
  (
    [
      ['messageStart', { role: 'assistant', p: 'abcd' }],
      ['contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'Hi' }, p: 'abc' }],
      ...deltas.map((delta) => ['contentBlockDelta', { contentBlockIndex: 0, delta }] as const),
      ['contentBlockStop', { contentBlockIndex: 0 }],
      ['messageStop', { stopReason: 'end_turn', ...stop }],
      [
        'metadata',
        { usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 }, metrics: { latencyMs: 1 }, ...metadata },
      ],
    ] as const
  ).map(([event, data]) => ({ event, data: JSON.stringify(data) }));

const commandFrames = (events: readonly JsonObject[], end: JsonObject = {}): readonly Frame[] =>
  [
    {
      id: 'c',
      type: 'message-start',
      delta: { message: { role: 'assistant', content: [], tool_plan: '', tool_calls: [], citations: [] } },
    },
    { type: 'content-start', index: 0, delta: { message: { content: { type: 'text', text: '' } } } },
    { type: 'content-delta', index: 0, delta: { message: { content: { text: 'Hi' } } } },
    ...events,
    { type: 'content-end', index: 0 },
    { type: 'message-end', delta: { finish_reason: 'COMPLETE', usage: {} }, ...end },
  ].map(sse);

const started = (citations: Json): JsonObject => ({
  type: 'citation-start',
  index: 0,
  delta: { message: { citations } },
});

/** Streams that contain the word in places that checks could miss. */
export const streams: Readonly<Record<Id, Readonly<Record<string, readonly Frame[]>>>> = {
  messages: {
    'in a member of the first event': claudeFrames({ notes: [said] }, []),
    'in the content of the first event': claudeFrames({ content: [{ type: 'text', text: said }] }, []),
    'in a delta of an unknown type': claudeFrames({}, [{ type: 'note_delta', note: said }]),
    'in a member of a delta': claudeFrames({}, [{ type: 'text_delta', text: '!', note: said }]),
    'in a citation of an unknown kind': claudeFrames({}, [
      { type: 'citations_delta', citation: { type: 'audio_location', transcript: said } },
    ]),
    'in the details of why it ended': claudeFrames({}, [], {
      delta: { stop_reason: 'end_turn', stop_details: { type: 'x', category: 'c', notes: said } },
    }),
    'in an event of an unknown type': [
      ...claudeFrames({}, []).slice(0, 3),
      sse({ type: 'note', note: said }),
      ...claudeFrames({}, []).slice(3),
    ],
  },
  gemini: {
    'in the metadata of a part': googleFrames({ content: { parts: [{ text: 'Hi', partMetadata: { note: said } }] } }),
    'in a transcript beside a text': googleFrames({
      content: { parts: [{ text: 'Hi', audioTranscription: { text: said } }] },
    }),
    'in a member of a candidate': googleFrames({ notes: said }),
    'in the status of the model': googleFrames({}, { modelStatus: { message: said } }),
    'in the feedback beside candidates': googleFrames({}, { promptFeedback: { blockReasonMessage: said } }),
    'in a review of a place': googleFrames({
      groundingMetadata: {
        groundingChunks: [{ maps: { title: 'T', placeAnswerSources: { reviewSnippets: [{ review: said }] } } }],
      },
    }),
    'in parts that are a single object': googleFrames({ content: { role: 'model', parts: { text: said } } }),
  },
  converse: {
    "in the trace of Bedrock's guardrail": bedrockFrames([], {}, { trace }),
    'in the words that the guardrail found': bedrockFrames([], {}, { trace: quoting }),
    'in an additional field of the model': bedrockFrames([], { additionalModelResponseFields: { notes: said } }, {}),
    'in a member of a delta': bedrockFrames([{ text: '!', note: said }], {}, {}),
    'in a member of the last event': bedrockFrames([], {}, { notes: [said] }),
  },
  cohere: {
    'in the output of a tool that is cited': commandFrames([started(ofTool)]),
    'in a citation of the thinking': commandFrames([started([{ ...ofTool, type: 'THINKING_CONTENT' }])]),
    'in a member of the first event': commandFrames([]).map((frame, index) =>
      index > 0
        ? frame
        : sse({ id: 'c', type: 'message-start', delta: { message: { role: 'assistant', tool_plan: said } } }),
    ),
    'in a member of a delta': commandFrames([
      { type: 'content-delta', index: 0, delta: { message: { content: { text: '!', note: said } } } },
    ]),
    'in an event of an unknown type': commandFrames([{ type: 'note', note: said }]),
    'in a debug event': commandFrames([{ type: 'debug', prompt: said }]),
    'in a member of the last event': commandFrames([], { notes: said }),
  },
};

/** Streams that do not contain the word. */
export const silent: readonly (readonly [Id, readonly Frame[]])[] = [
  ['messages', claudeFrames({}, [])],
  ['gemini', googleFrames({})],
  ['converse', bedrockFrames([], {}, {})],
  ['cohere', commandFrames([])],
];
