import type { DialectId } from './prompt.ts';

/** Why there is no answer, or only an incomplete one. */
export interface AnswerError {
  readonly message: string;
  readonly code: string;
}

/** The answer received so far. */
export interface Answer {
  readonly text: string;
  readonly reasoning: string;
  /** The function calls, with their arguments as JSON text. */
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
  readonly stop: string;
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  /** The cost in US dollars. */
  readonly cost?: number | undefined;
  readonly error?: AnswerError | undefined;
  /** Whether a stream has signalled its end. */
  readonly isComplete: boolean;
}

export const noAnswer: Answer = { text: '', reasoning: '', calls: [], stop: '', isComplete: false };

type Loose = Readonly<Record<string, unknown>>;

const asObject = (value: unknown): Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Loose) : {};
const asList = (value: unknown): readonly Loose[] => (Array.isArray(value) ? value.map(asObject) : []);
const asText = (value: unknown): string => (typeof value === 'string' ? value : '');
const asNumber = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/** Reads the error of a body or an event. Every API calls it `error`. */
const readError = (value: Loose): AnswerError | undefined => {
  if (value.error === undefined || value.error === null) return undefined;
  const error = asObject(value.error);
  return {
    message: asText(error.message) || asText(value.error) || asText(value.message),
    code: asText(error.code) || asText(error.status) || asText(error.type),
  };
};

const withUsage = (answer: Answer, usage: Loose): Answer => {
  const inputTokens = asNumber(usage.prompt_tokens) ?? asNumber(usage.input_tokens) ?? asNumber(usage.promptTokenCount);
  const outputTokens =
    asNumber(usage.completion_tokens) ?? asNumber(usage.output_tokens) ?? asNumber(usage.candidatesTokenCount);
  return {
    ...answer,
    inputTokens: inputTokens ?? answer.inputTokens,
    outputTokens: outputTokens ?? answer.outputTokens,
    cost: asNumber(usage.cost) ?? asNumber(usage.cost_usd) ?? answer.cost,
  };
};

/** Adds a piece of a call. Calls arrive in pieces, each with the index of its call. */
const withCall = (answer: Answer, at: number, name: string, piece: string): Answer => {
  const calls = [...answer.calls];
  const index = Math.min(at, calls.length);
  const before = calls[index] ?? { name: '', arguments: '' };
  calls[index] = { name: before.name || name, arguments: before.arguments + piece };
  return { ...answer, calls };
};

const readChatParts = (answer: Answer, message: Loose): Answer => {
  const said: Answer = {
    ...answer,
    text: answer.text + asText(message.content) + asText(message.refusal),
    reasoning: answer.reasoning + (asText(message.reasoning_content) || asText(message.reasoning)),
  };
  return asList(message.tool_calls).reduce<Answer>((known, call, at) => {
    const asked = asObject(call.function);
    return withCall(known, asNumber(call.index) ?? at, asText(asked.name), asText(asked.arguments));
  }, said);
};

const readChat = (answer: Answer, value: Loose, member: 'message' | 'delta'): Answer => {
  const [choice] = asList(value.choices);
  const read = choice === undefined ? answer : readChatParts(answer, asObject(choice[member]));
  return { ...withUsage(read, asObject(value.usage)), stop: asText(choice?.finish_reason) || answer.stop };
};

const readBlock = (answer: Answer, block: Loose): Answer => {
  if (block.type === 'text') return { ...answer, text: answer.text + asText(block.text) };
  if (block.type === 'thinking') return { ...answer, reasoning: answer.reasoning + asText(block.thinking) };
  if (block.type !== 'tool_use') return answer;
  const input = asObject(block.input);
  const whole = Object.keys(input).length === 0 ? '' : JSON.stringify(input);
  return withCall(answer, answer.calls.length, asText(block.name), whole);
};

const readMessages = (answer: Answer, value: Loose): Answer => ({
  ...withUsage(asList(value.content).reduce(readBlock, answer), asObject(value.usage)),
  stop: asText(value.stop_reason),
});

const readMessagesEvent = (answer: Answer, value: Loose): Answer => {
  const delta = asObject(value.delta);
  switch (value.type) {
    case 'message_start':
      return withUsage(answer, asObject(asObject(value.message).usage));
    case 'content_block_start':
      return readBlock(answer, asObject(value.content_block));
    case 'content_block_delta':
      if (delta.type === 'input_json_delta')
        return withCall(answer, Math.max(0, answer.calls.length - 1), '', asText(delta.partial_json));
      return {
        ...answer,
        text: answer.text + asText(delta.text),
        reasoning: answer.reasoning + asText(delta.thinking),
      };
    case 'message_delta':
      return { ...withUsage(answer, asObject(value.usage)), stop: asText(delta.stop_reason) || answer.stop };
    case 'message_stop':
      return { ...answer, isComplete: true };
    default:
      return answer;
  }
};

const readItem = (answer: Answer, item: Loose): Answer => {
  if (item.type === 'function_call')
    return withCall(answer, answer.calls.length, asText(item.name), asText(item.arguments));
  if (item.type !== 'message') return answer;
  const said = asList(item.content).map((part) => asText(part.text) + asText(part.refusal));
  return { ...answer, text: answer.text + said.join('') };
};

const readResponse = (answer: Answer, value: Loose): Answer => ({
  ...withUsage(asList(value.output).reduce(readItem, answer), asObject(value.usage)),
  stop: asText(value.status),
});

const readResponsesEvent = (answer: Answer, value: Loose): Answer => {
  const response = asObject(value.response);
  switch (value.type) {
    case 'response.output_text.delta':
    case 'response.refusal.delta':
      return { ...answer, text: answer.text + asText(value.delta) };
    case 'response.reasoning_text.delta':
    case 'response.reasoning_summary_text.delta':
      return { ...answer, reasoning: answer.reasoning + asText(value.delta) };
    case 'response.output_item.done':
      return asObject(value.item).type === 'function_call' ? readItem(answer, asObject(value.item)) : answer;
    case 'response.completed':
    case 'response.incomplete':
      return { ...withUsage(answer, asObject(response.usage)), stop: asText(response.status), isComplete: true };
    case 'response.failed':
      return { ...answer, error: readError(response) ?? { message: '', code: 'failed' }, isComplete: true };
    case 'error':
      return { ...answer, error: readError(value) ?? { message: asText(value.message), code: asText(value.code) } };
    default:
      return answer;
  }
};

const readGemini = (answer: Answer, value: Loose): Answer => {
  const [candidate] = asList(value.candidates);
  const parts = asList(asObject(candidate?.content).parts);
  const textOf = (isThought: boolean): string =>
    parts.map((part) => ((part.thought === true) === isThought ? asText(part.text) : '')).join('');
  const asked = parts.map(({ functionCall }) => asObject(functionCall)).filter(({ name }) => asText(name) !== '');
  const read: Answer = {
    ...answer,
    text: answer.text + textOf(false),
    reasoning: answer.reasoning + textOf(true),
    calls: [
      ...answer.calls,
      ...asked.map(({ name, args = {} }) => ({ name: asText(name), arguments: JSON.stringify(args) })),
    ],
  };
  const stop = asText(candidate?.finishReason) || answer.stop;
  return { ...withUsage(read, asObject(value.usageMetadata)), stop, isComplete: stop !== '' };
};

type Reader = (answer: Answer, value: Loose) => Answer;

const wholeReaders: Readonly<Record<DialectId, Reader>> = {
  chat: (answer, value) => readChat(answer, value, 'message'),
  messages: readMessages,
  responses: readResponse,
  gemini: readGemini,
};

const eventReaders: Readonly<Record<DialectId, Reader>> = {
  chat: (answer, value) => readChat(answer, value, 'delta'),
  messages: readMessagesEvent,
  responses: readResponsesEvent,
  gemini: readGemini,
};

const parse = (text: string): Loose | undefined => {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
};

/** Parses the body of an answer that is not a stream. Returns undefined if it is not JSON. */
export const readWhole = (dialect: DialectId, text: string): Answer | undefined => {
  const value = parse(text);
  if (value === undefined) return undefined;
  return { ...wholeReaders[dialect](noAnswer, value), error: readError(value), isComplete: true };
};

/** Adds an event of a stream to an answer. An error stays, even if more events follow. */
export const readEvent = (dialect: DialectId, answer: Answer, data: string): Answer => {
  if (data === '[DONE]') return { ...answer, isComplete: true };
  const value = parse(data);
  if (value === undefined) return answer;
  const error = answer.error ?? readError(value);
  const read = eventReaders[dialect](answer, value);
  return { ...read, error: error ?? read.error };
};
