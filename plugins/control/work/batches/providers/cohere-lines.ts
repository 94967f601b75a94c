import { exactText } from '../../../../../schema/json/exact-numbers.ts';
import type { Json, JsonObject } from '../../../../../schema/json/json.ts';
import { findItems, findNumber, findObject, findText, toObjects, toTexts } from '../../../../../schema/json/loose.ts';

/** A part of a request in batch form, and the names of members that a batch cannot express. */
interface Written {
  readonly value: JsonObject;
  readonly lost: readonly string[];
}

/** Splits members into those that a batch can express and the names of the others. */
const keep = (members: JsonObject, names: readonly string[], path = ''): Written => {
  const entries = Object.entries(members);
  return {
    value: Object.fromEntries(entries.filter(([name]) => names.includes(name))),
    lost: entries.flatMap(([name]) => (names.includes(name) ? [] : [`${path}${name}`])),
  };
};

const writtenPart = (part: JsonObject): Written => {
  if (part.type !== 'image_url') return keep(part, ['type', 'text', 'thinking'], 'messages.content.');
  const { url = null, ...rest } = findObject(part.image_url) ?? {};
  return {
    value: { type: 'image_url', image_url: url },
    lost: keep(rest, [], 'messages.content.image_url.').lost,
  };
};

const readParts = (content: Json | undefined): readonly JsonObject[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : toObjects(content);

const writtenMessage = ({ content, ...rest }: JsonObject): Written => {
  const { value, lost } = keep(rest, ['role', 'tool_calls', 'tool_call_id', 'tool_plan'], 'messages.');
  if (content === undefined) return { value, lost };
  const parts = readParts(content).map(writtenPart);
  return {
    value: { ...value, content: parts.map((part) => part.value) },
    lost: [...lost, ...parts.flatMap((part) => part.lost)],
  };
};

/** Converts a tool. Its parameter schema is written as a text. */
const writtenTool = (tool: JsonObject): JsonObject => {
  const definition = findObject(tool.function) ?? {};
  return { ...tool, function: { ...definition, parameters: exactText(definition.parameters ?? {}) } };
};

const writtenThinking = (thinking: JsonObject | undefined): JsonObject => {
  if (thinking === undefined) return {};
  const budget = findNumber(thinking.token_budget);
  return {
    reasoning: findText(thinking.type) !== 'disabled',
    ...(budget === undefined ? {} : { thinking_budget: budget }),
  };
};

const chatMembers = [
  ...['temperature', 'p', 'k', 'frequency_penalty', 'presence_penalty', 'seed', 'logprobs', 'max_tokens'],
  ...['max_input_tokens', 'return_prompt', 'reasoning', 'thinking_budget'],
];

/**
 * Converts a request of Cohere's chat to a line of a batch, without its model. The members are those of datasets of the type
 * `batch-chat-v2-input`, which such a dataset names as its `schema`: https://docs.cohere.com/reference/get-dataset
 */
export const toBatchChat = ({ model: _, messages, tools, thinking, ...rest }: JsonObject): Written => {
  const { value, lost } = keep(rest, chatMembers);
  const written = toObjects(messages).map(writtenMessage);
  return {
    value: {
      messages: written.map((message) => message.value),
      ...(tools === undefined ? {} : { tools: toObjects(tools).map(writtenTool) }),
      ...value,
      ...writtenThinking(findObject(thinking)),
    },
    lost: [...new Set([...lost, ...written.flatMap((message) => message.lost)])],
  };
};

const embeddingMembers = [
  ...['model', 'input', 'encoding_format', 'dimensions', 'user'],
  ...['input_type', 'truncate', 'max_tokens'],
];

const textsIn = (input: Json | undefined): readonly string[] => (typeof input === 'string' ? [input] : toTexts(input));

/** Returns why a request for embeddings cannot be a line of a Cohere batch; undefined if it can. */
export const embeddingError = (body: JsonObject): string | undefined => {
  const { input, encoding_format: format = 'float' } = body;
  const texts = textsIn(input);
  if (texts.length === 0 || (typeof input !== 'string' && texts.length !== findItems(input)?.length))
    return 'input must be a text or a list of texts at Cohere.';
  if (format !== 'float') return 'encoding_format must be "float" in a batch of Cohere.';
  const lost = Object.keys(body).filter((name) => !embeddingMembers.includes(name));
  return lost.length === 0 ? undefined : `a batch of Cohere does not support ${lost.join(', ')}.`;
};

/**
 * Converts a request for embeddings to a line of a batch, without its model; without `input_type`, its texts are documents for a
 * search. https://github.com/cohere-ai/cohere-developer-experience/blob/main/notebooks/guides/Batch_Inference_with_Cohere.ipynb
 */
export const toBatchEmbedding = (body: JsonObject): JsonObject => {
  const { input, input_type: type = 'search_document', dimensions, truncate, max_tokens: max } = body;
  return {
    ...{ texts: textsIn(input), input_type: type, embedding_types: ['float'] },
    ...(dimensions === undefined ? {} : { output_dimension: dimensions }),
    ...(truncate === undefined ? {} : { truncate }),
    ...(max === undefined ? {} : { max_tokens: max }),
  };
};

/** https://docs.cohere.com/reference/embed#response.body */
export const embeddingAnswer = (wire: JsonObject, model: string): JsonObject => {
  const { embeddings, meta } = wire;
  const vectors = findItems(findObject(embeddings)?.float) ?? [];
  const tokens = findNumber(findObject(findObject(meta)?.billed_units)?.input_tokens);
  return {
    ...{ object: 'list', model, data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })) },
    ...(tokens === undefined ? {} : { usage: { prompt_tokens: tokens, total_tokens: tokens } }),
  };
};
