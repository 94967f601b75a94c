import type { JsonObject } from '../../../../schema/json/json.ts';
import type { ReceivedRequest } from '../../../support/servers/upstream-server.ts';
import { cachedTokens, reasoningTokens, type Success } from '../wire/answer-parts.ts';

/** The output items of an answer: https://platform.openai.com/docs/api-reference/responses/object */
export interface ReasoningItem {
  readonly id: string;
  readonly type: 'reasoning';
  readonly summary: readonly { readonly type: 'summary_text'; readonly text: string }[];
  readonly encrypted_content?: string;
}

export interface MessageItem {
  readonly id: string;
  readonly type: 'message';
  readonly status: 'completed' | 'incomplete';
  readonly role: 'assistant';
  readonly content: readonly [TextContent | RefusalContent];
}

export interface TextContent {
  readonly type: 'output_text';
  readonly text: string;
  readonly annotations: readonly [];
  readonly logprobs: readonly [];
}

export interface RefusalContent {
  readonly type: 'refusal';
  readonly refusal: string;
}

export interface CallItem {
  readonly id: string;
  readonly type: 'function_call';
  readonly status: 'completed';
  readonly call_id: string;
  readonly name: string;
  readonly arguments: string;
}

export type OutputItem = ReasoningItem | MessageItem | CallItem;

/** The parts of a request that affect its answer. */
export interface Wishes {
  readonly model: string;
  readonly hasSummary: boolean;
  readonly hasEncrypted: boolean;
  /** Members that the answer repeats. */
  readonly echo: JsonObject;
}

export const toWishes = (request: ReceivedRequest): Wishes => {
  const { model, reasoning, include, tools, tool_choice, temperature, top_p, max_output_tokens, instructions, text } =
    request.json();
  return {
    model,
    hasSummary: typeof reasoning?.summary === 'string',
    hasEncrypted: include?.includes('reasoning.encrypted_content') === true,
    echo: {
      instructions: instructions ?? null,
      max_output_tokens: max_output_tokens ?? null,
      reasoning: { effort: reasoning?.effort ?? null, summary: reasoning?.summary ?? null },
      temperature: temperature ?? 1,
      text: { format: { type: 'text' }, verbosity: 'medium', ...text },
      tool_choice: tool_choice ?? 'auto',
      tools: tools ?? [],
      top_p: top_p ?? 1,
    },
  };
};

const reasoningItem = (answer: Success, wishes: Wishes): ReasoningItem => ({
  id: 'rs_68af4030baa48193b0b43b4c2a176a1a',
  type: 'reasoning',
  summary: wishes.hasSummary ? [{ type: 'summary_text', text: answer.reasoning ?? '' }] : [],
  ...(wishes.hasEncrypted && answer.signature !== undefined ? { encrypted_content: answer.signature } : {}),
});

const messageItem = (text: string, { finish }: Success): MessageItem => ({
  id: 'msg_68af40337e58819392e935fb404414d0',
  type: 'message',
  status: finish === 'length' ? 'incomplete' : 'completed',
  role: 'assistant',
  content: [
    finish === 'refusal'
      ? { type: 'refusal', refusal: text }
      : { type: 'output_text', text, annotations: [], logprobs: [] },
  ],
});

/** A summary and encrypted reasoning are included only if the request asks for them. */
export const outputItems = (answer: Success, wishes: Wishes): readonly OutputItem[] => [
  ...(answer.reasoning === undefined ? [] : [reasoningItem(answer, wishes)]),
  ...(answer.text === undefined ? [] : [messageItem(answer.text, answer)]),
  ...(answer.calls ?? []).map(
    ({ id, name, args }, at): CallItem => ({
      id: `fc_68af4031a2b48193a5c8${at}`,
      type: 'function_call',
      status: 'completed',
      call_id: id,
      name,
      arguments: JSON.stringify(args),
    }),
  ),
];

/** A response in progress, which has no output yet. */
export const openResponse = ({ model, echo }: Wishes): object => ({
  id: 'resp_68af4030592c81938ec0a5fbab4a3e9f',
  object: 'response',
  created_at: 1_790_000_000,
  status: 'in_progress',
  background: false,
  error: null,
  incomplete_details: null,
  max_tool_calls: null,
  metadata: {},
  model,
  output: [],
  parallel_tool_calls: true,
  previous_response_id: null,
  prompt_cache_key: null,
  safety_identifier: null,
  service_tier: 'default',
  store: true,
  top_logprobs: 0,
  truncation: 'disabled',
  usage: null,
  user: null,
  ...echo,
});

/** The completed response. */
export const endedResponse = (answer: Success, wishes: Wishes): object => ({
  ...openResponse(wishes),
  status: answer.finish === 'length' ? 'incomplete' : 'completed',
  incomplete_details: answer.finish === 'length' ? { reason: 'max_output_tokens' } : null,
  output: outputItems(answer, wishes),
  usage: {
    input_tokens: answer.usage.input,
    input_tokens_details: { cached_tokens: cachedTokens(answer) },
    output_tokens: answer.usage.output,
    output_tokens_details: { reasoning_tokens: reasoningTokens(answer) },
    total_tokens: answer.usage.input + answer.usage.output,
  },
});
