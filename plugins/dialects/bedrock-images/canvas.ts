import type { JsonObject } from '../../../schema/json/json.ts';
import { findText } from '../../../schema/json/loose.ts';
import type { ImageRequest, Pictures } from '../../../schema/operations/image.ts';
import type { EncodedOperation } from '../../sdk/dialect/operation-codec.ts';
import { notAnAnswer } from '../shared/answer/not-an-answer.ts';
import { lostMembers } from '../shared/images/lost-members.ts';
import { refusedPicture } from '../shared/images/refused-picture.ts';
import { toPictures } from '../shared/images/to-pictures.ts';
import { defined } from '../shared/json/defined.ts';

const max = 5;

/** OpenAI's words for a quality above standard. */
const premium: ReadonlySet<string> = new Set(['hd', 'high', 'xhigh', 'max', 'premium']);

/**
 * https://docs.aws.amazon.com/nova/latest/userguide/image-gen-req-resp-structure.html.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-titan-image.html has the same format. Images are PNG.
 */
export const encodeCanvas = (request: ImageRequest): EncodedOperation => {
  const { prompt, negativePrompt, count, size, quality, seed, format } = request;
  const isPremium = quality !== undefined && premium.has(quality);
  return {
    body: {
      taskType: 'TEXT_IMAGE',
      textToImageParams: defined({ text: prompt, negativeText: negativePrompt }) as JsonObject,
      imageGenerationConfig: defined({
        numberOfImages: Math.min(count, max),
        width: size?.width,
        height: size?.height,
        quality: isPremium ? 'premium' : undefined,
        seed,
      }) as JsonObject,
    },
    lost: lostMembers(request, {
      accepts: [
        ...(['size', 'seed', 'negativePrompt'] as const),
        ...(isPremium ? (['quality'] as const) : []),
        ...(format === 'png' ? (['format'] as const) : []),
      ],
      max,
      returns: 'base64',
    }),
  };
};

/** Returns the images. `error` reports what the content filter did to them, and all of them may be missing. */
export const decodeCanvas = (wire: JsonObject): Pictures => {
  const pictures = toPictures(wire.images);
  if (pictures.length > 0) return pictures;
  const refusal = findText(wire.error);
  throw refusal === undefined ? new TypeError(notAnAnswer(wire, 'images')) : refusedPicture(refusal);
};
