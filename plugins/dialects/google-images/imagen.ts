import type { JsonObject } from '../../../schema/json/json.ts';
import { findItems, findText, toObjects } from '../../../schema/json/loose.ts';
import type { ImageRequest, Picture, Pictures } from '../../../schema/operations/image.ts';
import type { EncodedOperation } from '../../sdk/dialect/operation-codec.ts';
import { chooseRatio } from '../shared/images/choose-ratio.ts';
import { lostMembers } from '../shared/images/lost-members.ts';
import { refusedPicture } from '../shared/images/refused-picture.ts';
import { toPicture } from '../shared/images/to-pictures.ts';
import { defined } from '../shared/json/defined.ts';
import { toImageSize } from './image-size.ts';

/** How many images Google's services produce at most: https://ai.google.dev/gemini-api/docs/imagen#imagen-configuration */
const max = 4;
const ratios = ['1:1', '3:4', '4:3', '9:16', '16:9'];

/** https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/imagen-api#output-options */
const mimeTypes: ReadonlyMap<string, string> = new Map([
  ['png', 'image/png'],
  ['jpeg', 'image/jpeg'],
  ['jpg', 'image/jpeg'],
]);

/**
 * https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/imagen-api, and
 * https://ai.google.dev/gemini-api/docs/imagen with the same format. Vertex AI accepts a seed only if its watermark is off, so
 * the seed is lost.
 */
export const encodeImagen = (request: ImageRequest): EncodedOperation => {
  const { prompt, count, size, format, compression } = request;
  const { ratio, lost } = chooseRatio(request, ratios);
  const mimeType = format === undefined ? undefined : mimeTypes.get(format);
  const options = defined({ mimeType, compressionQuality: compression });
  return {
    body: {
      instances: [{ prompt }],
      parameters: defined({
        sampleCount: Math.min(count, max),
        aspectRatio: ratio,
        sampleImageSize: toImageSize(size, ['2K']),
        includeRaiReason: true,
        outputOptions: Object.keys(options).length === 0 ? undefined : options,
      }) as JsonObject,
    },
    lost: [
      ...lost,
      ...lostMembers(request, {
        accepts: ['size', 'aspectRatio', 'compression', ...(mimeType === undefined ? [] : (['format'] as const))],
        max,
        returns: 'base64',
      }),
    ],
  };
};

export const isImagenAnswer = (wire: JsonObject): boolean =>
  findItems(wire.predictions) !== undefined || Object.keys(wire).length === 0;

const toImagenPicture = ({ bytesBase64Encoded, prompt }: JsonObject): Picture | undefined => {
  const picture = toPicture(bytesBase64Encoded);
  return picture && defined({ ...picture, revisedPrompt: findText(prompt) });
};

/** Returns the images that were not filtered out. */
export const findImagenPictures = ({ predictions }: JsonObject): Pictures =>
  toObjects(predictions).flatMap((prediction) => toImagenPicture(prediction) ?? []);

/**
 * If all images were filtered out, the answer contains the reasons, or nothing at all:
 * https://cloud.google.com/vertex-ai/generative-ai/docs/image/responsible-ai-imagen
 */
export const decodeImagen = (wire: JsonObject): Pictures => {
  const pictures = findImagenPictures(wire);
  if (pictures.length > 0) return pictures;
  const reasons = toObjects(wire.predictions).flatMap(({ raiFilteredReason }) => findText(raiFilteredReason) ?? []);
  throw refusedPicture(reasons.length === 0 ? 'it gave no picture, and no reason.' : [...new Set(reasons)].join(' '));
};
