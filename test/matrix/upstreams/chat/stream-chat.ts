import type { Success } from '../wire/answer-parts.ts';
import { pieces } from '../wire/pieces.ts';
import {
  chatFinish,
  chatIdentity,
  chatUsage,
  isRefusal,
  reasoningMembers,
  wireCall,
  writtenArgs,
} from './answer-chat.ts';
import type { ChatVendor } from './chat-vendor.ts';

interface StreamOptions {
  readonly model: string;
  readonly vendor: ChatVendor;
  /** Whether the request has `stream_options.include_usage`. */
  readonly includeUsage: boolean;
}

const deltas = (answer: Success, vendor: ChatVendor): readonly object[] => {
  const member = isRefusal(answer, vendor) ? 'refusal' : 'content';
  // After thinking, Mistral also sends the text in a list.
  const isListed = vendor.reasoning === 'thinking' && answer.reasoning !== undefined;
  return [
    {
      role: 'assistant',
      content: member === 'refusal' ? null : '',
      ...(vendor.hasRefusals ? { refusal: member === 'refusal' ? '' : null } : {}),
    },
    ...pieces(answer.reasoning ?? '', 4).map((piece) => reasoningMembers(piece, vendor)),
    ...pieces(answer.text ?? '', 4).map((piece) => ({ [member]: isListed ? [{ type: 'text', text: piece }] : piece })),
    ...(vendor.calls === 'bare' ? [] : (answer.calls ?? [])).flatMap((call, index) => [
      { tool_calls: [{ index, ...wireCall(call, '', vendor) }] },
      ...pieces(writtenArgs(call), 6).map((piece) => ({
        tool_calls: [
          { index, ...(call.isCustom === true ? { custom: { input: piece } } : { function: { arguments: piece } }) },
        ],
      })),
    ]),
  ];
};

/** The content of the chunk with the finish reason. */
const lastDelta = ({ calls }: Success, vendor: ChatVendor): object =>
  calls === undefined || vendor.calls !== 'bare'
    ? {}
    : { content: '', tool_calls: calls.map((call) => wireCall(call, writtenArgs(call), vendor)) };

/** The chunks of a streamed answer, without `[DONE]`. https://platform.openai.com/docs/api-reference/chat-streaming */
export const chatChunks = (answer: Success, { model, vendor, includeUsage }: StreamOptions): readonly object[] => {
  const requested = vendor.streamUsage === 'requested' && includeUsage;
  const chunk = (choices: readonly object[], more: object = {}): object => ({
    ...chatIdentity(model),
    object: 'chat.completion.chunk',
    service_tier: 'default',
    choices,
    ...(requested ? { usage: null } : {}),
    ...more,
  });
  const choice = (delta: object, finish: string | null): object => ({
    index: 0,
    delta,
    logprobs: null,
    finish_reason: finish,
  });
  const usage = { usage: chatUsage(answer) };
  return [
    ...(vendor.opening === undefined ? [] : [chunk([], vendor.opening)]),
    ...deltas(answer, vendor).map((delta) => chunk([choice(delta, null)])),
    chunk([choice(lastDelta(answer, vendor), chatFinish(answer))], vendor.streamUsage === 'always' ? usage : {}),
    ...(requested ? [chunk([], usage)] : []),
  ];
};
