import type { JsonObject } from '../../../schema/json/json.ts';
import { findObject, findText, toObjects } from '../../../schema/json/loose.ts';
import type { ImageRequest, Pictures } from '../../../schema/operations/image.ts';
import type { EncodedOperation } from '../../sdk/dialect/operation-codec.ts';
import { decodeFinish } from '../gemini/answer/finish-reasons.ts';
import { notAnAnswer } from '../shared/answer/not-an-answer.ts';
import { chooseRatio } from '../shared/images/choose-ratio.ts';
import { lostMembers } from '../shared/images/lost-members.ts';
import { refusedPicture } from '../shared/images/refused-picture.ts';
import { toPicture } from '../shared/images/to-pictures.ts';
import { defined } from '../shared/json/defined.ts';
import { toImageSize } from './image-size.ts';

const ratios = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9'];

/** https://ai.google.dev/gemini-api/docs/image-generation: each request produces one image. */
export const encodeGeminiPicture = (request: ImageRequest): EncodedOperation => {
  const { prompt, seed, size } = request;
  const { ratio, lost } = chooseRatio(request, ratios);
  const imageConfig = defined({ aspectRatio: ratio, imageSize: toImageSize(size, ['2K', '4K']) }) as JsonObject;
  return {
    body: {
      contents: [{ role: 'user', parts: [{ text: prompt }] }],
      generationConfig: defined({
        responseModalities: ['IMAGE'],
        seed,
        imageConfig: Object.keys(imageConfig).length === 0 ? undefined : imageConfig,
      }) as JsonObject,
    },
    lost: [...lost, ...lostMembers(request, { accepts: ['size', 'aspectRatio', 'seed'], max: 1, returns: 'base64' })],
  };
};

const partsOf = ({ content }: JsonObject): readonly JsonObject[] => toObjects(findObject(content)?.parts);

/** Returns the images, without those that a model drew while it was thinking. */
export const findGeminiPictures = ({ candidates }: JsonObject): Pictures =>
  toObjects(candidates)
    .flatMap(partsOf)
    .flatMap(({ inlineData, thought }) => (thought === true ? [] : (toPicture(findObject(inlineData)?.data) ?? [])));

/** Returns the reason of a filter, for the prompt or for an image. */
const findRefusal = ({ promptFeedback, candidates }: JsonObject): string | undefined => {
  const feedback = findObject(promptFeedback);
  const block = findText(feedback?.blockReason);
  if (block !== undefined) return findText(feedback?.blockReasonMessage) ?? block;
  for (const { finishReason, finishMessage } of toObjects(candidates)) {
    const raw = findText(finishReason);
    if (decodeFinish(raw, undefined, false).reason === 'content-filter') return findText(finishMessage) ?? raw;
  }
  return undefined;
};

/**
 * Returns why there is no image although nothing was refused. The model may have answered in words, which no check has judged.
 */
const whyNone = (wire: JsonObject): string =>
  toObjects(wire.candidates).length === 0 ? notAnAnswer(wire, 'candidates') : 'it has no picture.';

export const decodeGeminiPictures = (wire: JsonObject): Pictures => {
  const pictures = findGeminiPictures(wire);
  if (pictures.length > 0) return pictures;
  const refusal = findRefusal(wire);
  throw refusal === undefined ? new TypeError(whyNone(wire)) : refusedPicture(refusal);
};
