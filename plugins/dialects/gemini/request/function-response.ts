import type { JsonPart, TextPart, ToolResultPart } from '../../../../schema/conversation/conversation.ts';
import { exactlyAt, isExactObject, withExactNumbers } from '../../../../schema/json/exact-numbers.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';

type ResultValue = TextPart | JsonPart;

const isText = (value: Json): value is string => typeof value === 'string';

const textPart = (text: string): TextPart => ({ kind: 'text', text });

const readParts = (response: JsonObject, name: string, failed: boolean): readonly ResultValue[] => {
  const value = response[name] ?? null;
  if (isText(value)) return [textPart(value)];
  if (Array.isArray(value)) {
    if (value.length > 1 && value.every(isText)) return value.map(textPart);
    if (value.length === 0 && failed) return [];
  }
  return [{ kind: 'json', value: exactlyAt(response, name) ?? null }];
};

/** Returns the name of a response's only member, if that member is the output or the reason of a failure. */
const findWrapper = (response: JsonObject): 'output' | 'error' | undefined => {
  const [name, ...more] = Object.keys(response);
  return more.length === 0 && (name === 'output' || name === 'error') ? name : undefined;
};

/** https://ai.google.dev/api/caching#FunctionResponse: `output` and `error` are the documented members. */
export const decodeResponse = (response: JsonObject): Pick<ToolResultPart, 'parts' | 'failed'> => {
  const wrapper = findWrapper(response);
  if (wrapper === undefined)
    return { parts: Object.keys(response).length === 0 ? [] : [{ kind: 'json', value: withExactNumbers(response) }] };
  const failed = wrapper === 'error';
  const parts = readParts(response, wrapper, failed);
  return failed ? { parts, failed } : { parts };
};

const plainValue = (part: ResultValue): Json => (part.kind === 'text' ? part.text : part.value);

/** Encodes a response. A result that is one object is the response itself; anything else is its `output` or its `error`. */
export const encodeResponse = (parts: readonly ResultValue[], failed: boolean): JsonObject => {
  const [first, ...more] = parts;
  if (first === undefined) return failed ? { error: [] } : {};
  if (failed) return { error: more.length === 0 ? plainValue(first) : parts.map(plainValue) };
  if (more.length > 0) return { output: parts.map(plainValue) };
  const value = plainValue(first);
  const isWhole = isExactObject(value) && findWrapper(value) === undefined && Object.keys(value).length > 0;
  return isWhole ? value : { output: value };
};
