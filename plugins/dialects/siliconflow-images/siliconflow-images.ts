import type { JsonObject } from '../../../schema/json/json.ts';
import { findText, toObjects } from '../../../schema/json/loose.ts';
import type { Pictures } from '../../../schema/operations/image.ts';
import type { Dialect } from '../../sdk/dialect/dialect.ts';
import type { ProviderCodec } from '../../sdk/dialect/operation-codec.ts';
import { classify } from '../chat/answer/classify.ts';
import { errors } from '../chat/parts/errors.ts';
import { siliconflowDeclaration } from '../images/provider-declarations.ts';
import { notAnAnswer } from '../shared/answer/not-an-answer.ts';
import { lostMembers } from '../shared/images/lost-members.ts';
import { passedMembers } from '../shared/images/passed-members.ts';
import { pictureUsage } from '../shared/images/to-pictures.ts';
import { defined } from '../shared/json/defined.ts';

const max = 4;
const passes = ['image_size', 'batch_size', 'num_inference_steps', 'guidance_scale', 'cfg', 'image'];

const encodeRequest: ProviderCodec<'image'>['encodeRequest'] = (request) => {
  const { model, prompt, negativePrompt, count, size, seed } = request;
  return {
    body: defined({
      model,
      prompt,
      negative_prompt: negativePrompt,
      image_size: size && `${size.width}x${size.height}`,
      batch_size: count === 1 ? undefined : Math.min(count, max),
      seed,
      ...passedMembers(request, passes),
    }) as JsonObject,
    lost: lostMembers(request, { accepts: ['size', 'seed', 'negativePrompt'], max, returns: 'url', forwards: passes }),
  };
};

const findPictures = ({ images }: JsonObject): Pictures =>
  toObjects(images).flatMap(({ url }) => {
    const found = findText(url);
    return found === undefined ? [] : [{ source: { kind: 'url', url: found } }];
  });

const decodeAnswer: ProviderCodec<'image'>['decodeAnswer'] = (wire) => {
  const pictures = findPictures(wire);
  if (pictures.length === 0) throw new TypeError(notAnAnswer(wire, 'images'));
  return pictures;
};

/** SiliconFlow's images: https://docs.siliconflow.cn/en/api-reference/images/images-generations. It returns only URLs. */
export const siliconflowImages: Dialect = {
  ...siliconflowDeclaration,
  classify,
  ...errors,
  usage: (wire) => pictureUsage(findPictures(wire).length),
  metered: { images: [{ url: true }] },
  providerCodecs: { image: { encodeRequest, decodeAnswer } },
};
