import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { findObject, toObjects } from '../../../../schema/json/loose.ts';
import { specifiedResponse } from './stored/specified-response.ts';

const withoutImages = (content: Json | undefined): Json =>
  Array.isArray(content)
    ? content.map((part: Json) =>
        isJsonObject(part) && part.type === 'input_image' && part.image_url !== undefined
          ? { ...part, image_url: null }
          : part,
      )
    : (content ?? null);

const bare = (item: JsonObject, include: ReadonlySet<string>): JsonObject => {
  const { type } = item;
  if (type === 'file_search_call' && item.results !== undefined && !include.has('file_search_call.results'))
    return { ...item, results: null };
  if (type === 'message' && !include.has('message.input_image.image_url'))
    return { ...item, content: withoutImages(item.content) };
  const output = findObject(item.output);
  if (
    type === 'computer_call_output' &&
    output?.image_url !== undefined &&
    !include.has('computer_call_output.output.image_url')
  )
    return { ...item, output: { ...output, image_url: null } };
  return item;
};

/** Items with only the additional data that is asked for. */
export const withIncluded = (items: readonly JsonObject[], include: readonly string[]): readonly JsonObject[] => {
  const asked = new Set(include);
  return items.map((item) => bare(item, asked));
};

/** A response as it is shown, with only the additional data that is asked for. */
export const includedResponse = (response: JsonObject, include: readonly string[]): JsonObject => ({
  ...specifiedResponse(response),
  output: withIncluded(toObjects(response.output), include),
});
