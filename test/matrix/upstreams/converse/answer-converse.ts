import { cachedTokens, type Success } from '../wire/answer-parts.ts';
import { pieces } from '../wire/pieces.ts';

/** An event of a stream with its name. */
export interface ConverseEvent {
  readonly name: string;
  readonly payload: object;
}

interface Block {
  readonly whole: object;
  /** Present only for calls. */
  readonly start?: object;
  readonly deltas: readonly object[];
}

const reasoningBlock = (text: string, signature: string): Block => ({
  whole: { reasoningContent: { reasoningText: { text, signature } } },
  deltas: [
    ...pieces(text, 5).map((piece) => ({ reasoningContent: { text: piece } })),
    { reasoningContent: { signature } },
  ],
});

const textBlock = (text: string): Block => ({
  whole: { text },
  deltas: pieces(text, 5).map((piece) => ({ text: piece })),
});

const callBlock = ({ id, name, args }: NonNullable<Success['calls']>[number]): Block => ({
  whole: { toolUse: { toolUseId: id, name, input: args } },
  start: { toolUse: { toolUseId: id, name } },
  deltas: ['', ...pieces(JSON.stringify(args), 6)].map((input) => ({ toolUse: { input } })),
});

/** Reasoning is included only if the request enables it. */
const toBlocks = (answer: Success, isReasoning: boolean): readonly Block[] => [
  ...(answer.reasoning === undefined || !isReasoning
    ? []
    : [reasoningBlock(answer.reasoning, answer.signature ?? 'RXFRQg==')]),
  ...(answer.text === undefined ? [] : [textBlock(answer.text)]),
  ...(answer.calls ?? []).map(callBlock),
];

const stopReason = ({ finish }: Success): object => ({
  stopReason: { stop: 'end_turn', length: 'max_tokens', 'tool-calls': 'tool_use', refusal: 'content_filtered' }[finish],
});

const counts = (answer: Success): object => ({
  usage: {
    inputTokens: answer.usage.input - cachedTokens(answer),
    outputTokens: answer.usage.output,
    totalTokens: answer.usage.input + answer.usage.output,
    cacheReadInputTokens: cachedTokens(answer),
    cacheWriteInputTokens: 0,
  },
  metrics: { latencyMs: 411 },
});

/** A whole answer: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html */
export const converseAnswer = (answer: Success, isReasoning: boolean): object => ({
  output: { message: { role: 'assistant', content: toBlocks(answer, isReasoning).map(({ whole }) => whole) } },
  ...stopReason(answer),
  ...counts(answer),
});

/** The events of a streamed answer: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html */
export const converseEvents = (answer: Success, isReasoning: boolean): readonly ConverseEvent[] => [
  { name: 'messageStart', payload: { role: 'assistant' } },
  ...toBlocks(answer, isReasoning).flatMap(({ start, deltas }, contentBlockIndex) => [
    ...(start === undefined ? [] : [{ name: 'contentBlockStart', payload: { contentBlockIndex, start } }]),
    ...deltas.map((delta) => ({ name: 'contentBlockDelta', payload: { contentBlockIndex, delta } })),
    { name: 'contentBlockStop', payload: { contentBlockIndex } },
  ]),
  { name: 'messageStop', payload: stopReason(answer) },
  { name: 'metadata', payload: counts(answer) },
];
