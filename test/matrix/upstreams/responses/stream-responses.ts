import type { Success } from '../wire/answer-parts.ts';
import { pieces } from '../wire/pieces.ts';
import {
  type CallItem,
  endedResponse,
  type MessageItem,
  type OutputItem,
  openResponse,
  outputItems,
  type ReasoningItem,
  type Wishes,
} from './answer-responses.ts';

interface Step {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** An event of the stream. All events are numbered in order. */
export interface StreamEvent extends Step {
  readonly sequence_number: number;
}

const reasoningSteps = (item: ReasoningItem, output_index: number): readonly Step[] =>
  item.summary.flatMap((part, summary_index) => {
    const at = { item_id: item.id, output_index, summary_index };
    return [
      { type: 'response.reasoning_summary_part.added', ...at, part: { ...part, text: '' } },
      ...pieces(part.text, 4).map((delta) => ({ type: 'response.reasoning_summary_text.delta', ...at, delta })),
      { type: 'response.reasoning_summary_text.done', ...at, text: part.text },
      { type: 'response.reasoning_summary_part.done', ...at, part },
    ];
  });

const messageSteps = (item: MessageItem, output_index: number): readonly Step[] => {
  const [part] = item.content;
  const at = { item_id: item.id, output_index, content_index: 0 };
  const isText = part.type === 'output_text';
  const text = isText ? part.text : part.refusal;
  const kind = isText ? 'response.output_text' : 'response.refusal';
  return [
    { type: 'response.content_part.added', ...at, part: isText ? { ...part, text: '' } : { ...part, refusal: '' } },
    ...pieces(text, 4).map((delta) => ({
      type: `${kind}.delta`,
      ...at,
      delta,
      ...(isText ? { logprobs: [], obfuscation: 'x7Qp' } : {}),
    })),
    { type: `${kind}.done`, ...at, ...(isText ? { text, logprobs: [] } : { refusal: text }) },
    { type: 'response.content_part.done', ...at, part },
  ];
};

const callSteps = (item: CallItem, output_index: number): readonly Step[] => {
  const at = { item_id: item.id, output_index };
  return [
    ...pieces(item.arguments, 6).map((delta) => ({ type: 'response.function_call_arguments.delta', ...at, delta })),
    { type: 'response.function_call_arguments.done', ...at, name: item.name, arguments: item.arguments },
  ];
};

const opened = (item: OutputItem): object => {
  switch (item.type) {
    case 'reasoning':
      return { ...item, summary: [] };
    case 'message':
      return { ...item, status: 'in_progress', content: [] };
    case 'function_call':
      return { ...item, status: 'in_progress', arguments: '' };
  }
};

const inner = (item: OutputItem, output_index: number): readonly Step[] => {
  switch (item.type) {
    case 'reasoning':
      return reasoningSteps(item, output_index);
    case 'message':
      return messageSteps(item, output_index);
    case 'function_call':
      return callSteps(item, output_index);
  }
};

/** The events of a streamed answer: https://platform.openai.com/docs/api-reference/responses-streaming */
export const responseEvents = (answer: Success, wishes: Wishes): readonly StreamEvent[] =>
  [
    { type: 'response.created', response: openResponse(wishes) },
    { type: 'response.in_progress', response: openResponse(wishes) },
    ...outputItems(answer, wishes).flatMap((item, output_index) => [
      { type: 'response.output_item.added', output_index, item: opened(item) },
      ...inner(item, output_index),
      { type: 'response.output_item.done', output_index, item },
    ]),
    {
      type: answer.finish === 'length' ? 'response.incomplete' : 'response.completed',
      response: endedResponse(answer, wishes),
    },
  ].map((step, sequence_number) => ({ ...step, sequence_number }));
