import type { Usage } from '../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { findNumber, findObject, findText, toObjects } from '../../../schema/json/loose.ts';
import { readCounts } from '../../../schema/usage/read-counts.ts';
import { defined } from '../shared/json/defined.ts';

/** Counts images. A whole answer has a list of images, and the last event of a stream has one image. */
const countPictures = ({ data, type }: JsonObject): number =>
  toObjects(data).length + (findText(type)?.endsWith('.completed') === true ? 1 : 0);

/**
 * Returns the tokens that some models report, by the names of https://platform.openai.com/docs/api-reference/images/object, or by
 * those of chats: https://openrouter.ai/docs/client-sdks/typescript/sdks/images/README. The output tokens are image tokens,
 * unless the answer specifies how many are.
 */
const readTokens = (usage: JsonObject): Usage | undefined => {
  const counts = readCounts({
    input: findNumber(usage.input_tokens ?? usage.prompt_tokens),
    output: findNumber(usage.output_tokens ?? usage.completion_tokens),
    total: findNumber(usage.total_tokens),
  });
  if (counts === undefined) return undefined;
  const input = findObject(usage.input_tokens_details ?? usage.prompt_tokens_details);
  const output = findObject(usage.output_tokens_details ?? usage.completion_tokens_details);
  return defined({
    ...counts,
    cacheRead: findNumber(input?.cached_tokens),
    inputImage: findNumber(input?.image_tokens),
    outputImage: output === undefined ? counts.output : findNumber(output.image_tokens),
    raw: { images: usage },
  });
};

/** Returns the usage of a whole answer or of a stream's event: its tokens, and its images, by which alone many models charge. */
export const findUsage = (wire: JsonObject, before?: Usage): Usage | undefined => {
  const pictures = countPictures(wire);
  const usage = findObject(wire.usage);
  const tokens = usage && readTokens(usage);
  if (pictures === 0) return tokens;
  return { ...(tokens ?? { input: 0, output: 0 }), calls: { image: pictures + (before?.calls?.image ?? 0) } };
};

/** https://platform.openai.com/docs/api-reference/images/object */
export const encodeUsage = ({ input, output, inputImage, outputImage }: Usage): JsonObject => ({
  input_tokens: input,
  output_tokens: output,
  total_tokens: input + output,
  ...(inputImage === undefined
    ? {}
    : { input_tokens_details: { image_tokens: inputImage, text_tokens: Math.max(0, input - inputImage) } }),
  ...(outputImage === undefined
    ? {}
    : { output_tokens_details: { image_tokens: outputImage, text_tokens: Math.max(0, output - outputImage) } }),
});
