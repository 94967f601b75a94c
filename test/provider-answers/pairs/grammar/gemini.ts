import type { Frame } from '../../../../plugins/sdk/dialect/dialect.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { isAbsent, require, toCount, toList, toName, toObject, toText } from './require.ts';

const requirePart = (value: Json): void => {
  const part = toObject(value, 'a part');
  if (part.text !== undefined) toText(part.text, 'a text');
  if (part.functionCall !== undefined) {
    const call = toObject(part.functionCall, 'functionCall');
    toName(call.name, 'the name of a call');
    if (call.args !== undefined) toObject(call.args, 'args');
  }
};

const requireUsage = (value: Json | undefined): void => {
  if (isAbsent(value)) return;
  const usage = toObject(value, 'usageMetadata');
  for (const [name, count] of Object.entries(usage)) if (name.endsWith('TokenCount')) toCount(count, name);
};

/** Checks an answer or an item of a stream. Returns the indices of the candidates that have finished. */
const requireItem = (body: JsonObject): readonly number[] => {
  requireUsage(body.usageMetadata);
  if (body.candidates === undefined) {
    require(body.promptFeedback !== undefined || body.usageMetadata !== undefined, 'there are no candidates.');
    return [];
  }
  return toList(body.candidates, 'candidates').flatMap((each) => {
    const candidate = toObject(each, 'a candidate');
    const index = candidate.index === undefined ? 0 : toCount(candidate.index, 'the index of a candidate');
    if (candidate.content !== undefined) {
      const content = toObject(candidate.content, 'content');
      require(content.role === 'model', 'the role is another.');
      if (content.parts !== undefined) for (const part of toList(content.parts, 'parts')) requirePart(part);
    }
    if (isAbsent(candidate.finishReason)) return [];
    toName(candidate.finishReason, 'finishReason');
    return [index];
  });
};

/** Throws unless an answer has what https://ai.google.dev/api/generate-content requires. */
export const requireGemini = (body: JsonObject): void => void requireItem(body);

/** Throws unless the frames are a whole stream of generateContent's answers. */
export const requireGeminiStream = (frames: readonly Frame[]): void => {
  const finished = frames.flatMap(({ data }) => requireItem(toObject(JSON.parse(data) as Json, 'an item')));
  require(new Set(finished).size === finished.length, 'a candidate finishes twice.');
};
