import type { JsonObject } from '../../../schema/json/json.ts';
import { findItems } from '../../../schema/json/loose.ts';
import type { ImageRequest, Pictures } from '../../../schema/operations/image.ts';
import type { EncodedOperation } from '../../sdk/dialect/operation-codec.ts';
import { notAnAnswer } from '../shared/answer/not-an-answer.ts';
import { refusedPicture } from '../shared/images/refused-picture.ts';
import { stabilityRequest } from '../shared/images/stability-request.ts';
import { toPictures } from '../shared/images/to-pictures.ts';

const formats: ReadonlySet<string> = new Set(['png', 'jpeg']);

/** https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-diffusion-stable-ultra-text-image-request-response.html */
export const encodeStability = (request: ImageRequest): EncodedOperation => stabilityRequest(request, { formats });

export const isStabilityAnswer = ({ finish_reasons: reasons }: JsonObject): boolean => findItems(reasons) !== undefined;

/** Returns the accepted images. Their reason is null; a refused image may have bytes too, which are blurred. */
export const findStabilityPictures = ({ images, finish_reasons: reasons }: JsonObject): Pictures => {
  const refused = findItems(reasons) ?? [];
  return toPictures(findItems(images)?.filter((_, index) => (refused[index] ?? null) === null) ?? []);
};

export const decodeStability = (wire: JsonObject): Pictures => {
  const pictures = findStabilityPictures(wire);
  if (pictures.length > 0) return pictures;
  const reason = (findItems(wire.finish_reasons) ?? []).find((each) => typeof each === 'string');
  if (typeof reason === 'string' && /filter/i.test(reason)) throw refusedPicture(reason);
  throw new TypeError(typeof reason === 'string' ? `it is an error: ${reason}` : notAnAnswer(wire, 'images'));
};
