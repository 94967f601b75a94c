import type { Usage } from '../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { Dialect } from '../../sdk/dialect/dialect.ts';
import type { ProviderCodec } from '../../sdk/dialect/operation-codec.ts';
import { isImagen } from '../../sdk/models/is-imagen.ts';
import { classify } from '../gemini/answer/classify.ts';
import { findUsage as findTokens } from '../gemini/answer/usage.ts';
import { errors } from '../gemini/parts/errors.ts';
import { googleDeclaration } from '../images/provider-declarations.ts';
import { pictureUsage } from '../shared/images/to-pictures.ts';
import { decodeGeminiPictures, encodeGeminiPicture, findGeminiPictures } from './gemini-pictures.ts';
import { decodeImagen, encodeImagen, findImagenPictures, isImagenAnswer } from './imagen.ts';

const codec: ProviderCodec<'image'> = {
  encodeRequest: (request) => (isImagen(request.model) ? encodeImagen(request) : encodeGeminiPicture(request)),
  decodeAnswer: (wire) => (isImagenAnswer(wire) ? decodeImagen(wire) : decodeGeminiPictures(wire)),
};

/** Returns the usage. Imagen charges by image, and Gemini by token. */
const findUsage = (wire: JsonObject): Usage | undefined => {
  if (isImagenAnswer(wire)) return pictureUsage(findImagenPictures(wire).length);
  const tokens = findTokens(wire);
  const drawn = pictureUsage(findGeminiPictures(wire).length);
  return tokens === undefined ? drawn : { ...tokens, ...(drawn?.calls === undefined ? {} : { calls: drawn.calls }) };
};

/**
 * Google's images: those of Imagen, https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/imagen-api, and those
 * of Gemini, https://ai.google.dev/gemini-api/docs/image-generation. The model determines the format.
 */
export const googleImages: Dialect = {
  ...googleDeclaration,
  ...errors,
  classify,
  usage: findUsage,
  metered: { predictions: true, candidates: true, usageMetadata: true },
  providerCodecs: { image: codec },
};
