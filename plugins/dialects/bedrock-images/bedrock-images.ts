import type { JsonObject } from '../../../schema/json/json.ts';
import type { Dialect } from '../../sdk/dialect/dialect.ts';
import type { ProviderCodec } from '../../sdk/dialect/operation-codec.ts';
import { classify } from '../converse/answer/classify.ts';
import { errors } from '../converse/parts/errors.ts';
import { bedrockDeclaration } from '../images/provider-declarations.ts';
import { pictureUsage, toPictures } from '../shared/images/to-pictures.ts';
import { decodeCanvas, encodeCanvas } from './canvas.ts';
import { decodeStability, encodeStability, findStabilityPictures, isStabilityAnswer } from './stability.ts';

/** Whether a model is Stability's. `us.stability.…` is the same model, called through an inference profile. */
const isStability = (model = ''): boolean => /(?:^|[./])stability\./.test(model);

const codec: ProviderCodec<'image'> = {
  encodeRequest: (request) => (isStability(request.model) ? encodeStability(request) : encodeCanvas(request)),
  decodeAnswer: (wire) => (isStabilityAnswer(wire) ? decodeStability(wire) : decodeCanvas(wire)),
};

const picturesIn = (wire: JsonObject): number =>
  (isStabilityAnswer(wire) ? findStabilityPictures(wire) : toPictures(wire.images)).length;

/** Images from Bedrock's models: Amazon's Nova Canvas and Titan, and Stability's. The model determines the format. */
export const bedrockImages: Dialect = {
  ...bedrockDeclaration,
  classify,
  ...errors,
  usage: (wire) => pictureUsage(picturesIn(wire)),
  metered: { images: true, finish_reasons: true },
  providerCodecs: { image: codec },
};
