import type { Call } from '../../scenario.ts';
import { cachedTokens, reasoningTokens, type Success } from '../wire/answer-parts.ts';
import type { ChatVendor } from './chat-vendor.ts';

export const chatIdentity = (model: string): object => ({
  id: 'chatcmpl-CkV3NnWHqEn9J2p5',
  created: 1_790_000_000,
  model,
  system_fingerprint: 'fp_44709d6fcb',
});

/** The finish reason. A refusal ends like any other answer. */
export const chatFinish = ({ finish }: Success): string =>
  ({ stop: 'stop', refusal: 'stop', length: 'length', 'tool-calls': 'tool_calls' })[finish];

export const chatUsage = (answer: Success): object => ({
  prompt_tokens: answer.usage.input,
  completion_tokens: answer.usage.output,
  total_tokens: answer.usage.input + answer.usage.output,
  prompt_tokens_details: { cached_tokens: cachedTokens(answer), audio_tokens: 0 },
  completion_tokens_details: {
    reasoning_tokens: reasoningTokens(answer),
    audio_tokens: 0,
    accepted_prediction_tokens: 0,
    rejected_prediction_tokens: 0,
  },
});

/** Whether the text of an answer belongs in the member `refusal`. */
export const isRefusal = ({ finish }: Success, { hasRefusals }: ChatVendor): boolean =>
  finish === 'refusal' && hasRefusals;

/** The reasoning in the member that the vendor has for it, or inside the content. */
export const reasoningMembers = (text: string, vendor: ChatVendor): object =>
  vendor.reasoning === 'thinking'
    ? { content: [{ type: 'thinking', thinking: [{ type: 'text', text }] }] }
    : { [vendor.reasoning]: text };

/** The arguments of a call as JSON, or the plain input of a custom tool. */
export const writtenArgs = ({ args, isCustom }: Call): string =>
  isCustom === true ? String(Object.values(args)[0]) : JSON.stringify(args);

/** A call with its arguments or a piece of them. */
export const wireCall = ({ id, name, isCustom }: Call, args: string, { calls }: ChatVendor): object => {
  if (isCustom === true) return { id, type: 'custom', custom: { name, input: args } };
  return { id, ...(calls === 'bare' ? {} : { type: 'function' }), function: { name, arguments: args } };
};

const toMessage = (answer: Success, vendor: ChatVendor): object => {
  const text = answer.text ?? null;
  const refused = isRefusal(answer, vendor);
  const base = {
    role: 'assistant',
    content: refused ? null : text,
    ...(vendor.hasRefusals ? { refusal: refused ? text : null, annotations: [] } : {}),
    ...(answer.calls === undefined
      ? {}
      : {
          tool_calls: answer.calls.map((call) => wireCall(call, writtenArgs(call), vendor)),
        }),
  };
  if (answer.reasoning === undefined) return base;
  if (vendor.reasoning !== 'thinking') return { ...base, ...reasoningMembers(answer.reasoning, vendor) };
  return {
    ...base,
    content: [
      { type: 'thinking', thinking: [{ type: 'text', text: answer.reasoning }] },
      ...(text === null ? [] : [{ type: 'text', text }]),
    ],
  };
};

/** A whole answer. https://platform.openai.com/docs/api-reference/chat/object */
export const chatAnswer = (answer: Success, model: string, vendor: ChatVendor): object => ({
  ...chatIdentity(model),
  object: 'chat.completion',
  choices: [{ index: 0, message: toMessage(answer, vendor), logprobs: null, finish_reason: chatFinish(answer) }],
  usage: chatUsage(answer),
  service_tier: 'default',
});
