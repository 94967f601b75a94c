import type { JsonObject } from '../../../schema/json/json.ts';
import { findText } from '../../../schema/json/loose.ts';
import type { Pictures } from '../../../schema/operations/image.ts';
import type { Dialect } from '../../sdk/dialect/dialect.ts';
import type { ProviderCodec } from '../../sdk/dialect/operation-codec.ts';
import { classify } from '../chat/answer/classify.ts';
import { errors } from '../chat/parts/errors.ts';
import { fireworksDeclaration } from '../images/provider-declarations.ts';
import { notAnAnswer } from '../shared/answer/not-an-answer.ts';
import { chooseRatio } from '../shared/images/choose-ratio.ts';
import { lostMembers } from '../shared/images/lost-members.ts';
import { passedMembers } from '../shared/images/passed-members.ts';
import { refusedPicture } from '../shared/images/refused-picture.ts';
import { pictureUsage, toPicture, toPictures } from '../shared/images/to-pictures.ts';
import { defined } from '../shared/json/defined.ts';

const ratios = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '9:21', '21:9'];
const passes = ['guidance_scale', 'num_inference_steps'];

const encodeRequest: ProviderCodec<'image'>['encodeRequest'] = (request) => {
  const { prompt, seed } = request;
  const { ratio, lost } = chooseRatio(request, ratios);
  return {
    body: defined({ prompt, aspect_ratio: ratio, seed, ...passedMembers(request, passes) }) as JsonObject,
    headers: ['accept', 'application/json'],
    lost: [
      ...lost,
      ...lostMembers(request, {
        accepts: ['size', 'aspectRatio', 'seed'],
        max: 1,
        returns: 'base64',
        forwards: passes,
      }),
    ],
  };
};

/** Reads a list of images, or a single one. */
const findPictures = ({ base64 }: JsonObject): Pictures => {
  const single = toPicture(base64);
  return single === undefined ? toPictures(base64) : [single];
};

/** A filtered image also has bytes, but it is black. */
const isFiltered = ({ finishReason }: JsonObject): boolean => findText(finishReason) === 'CONTENT_FILTERED';

const decodeAnswer: ProviderCodec<'image'>['decodeAnswer'] = (wire) => {
  if (isFiltered(wire)) throw refusedPicture('CONTENT_FILTERED');
  const pictures = findPictures(wire);
  if (pictures.length === 0) throw new TypeError(notAnAnswer(wire, 'pictures in base64'));
  return pictures;
};

/**
 * Fireworks' text to image: https://docs.fireworks.ai/api-reference/generate-a-new-image-from-a-text-prompt. Each request
 * produces one image.
 */
export const fireworksImages: Dialect = {
  ...fireworksDeclaration,
  classify,
  ...errors,
  usage: (wire) => (isFiltered(wire) ? undefined : pictureUsage(findPictures(wire).length)),
  metered: { base64: true, finishReason: true },
  providerCodecs: { image: { encodeRequest, decodeAnswer } },
};
