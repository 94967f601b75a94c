import type { JsonObject } from '../../../schema/json/json.ts';
import { findText, toTexts } from '../../../schema/json/loose.ts';
import { parseObject } from '../../../schema/json/parse-json.ts';
import type { Dialect } from '../../sdk/dialect/dialect.ts';
import type { ProviderCodec } from '../../sdk/dialect/operation-codec.ts';
import { readHttpError } from '../../sdk/http/http-error.ts';
import { classify } from '../chat/answer/classify.ts';
import { errors } from '../chat/parts/errors.ts';
import { stabilityDeclaration } from '../images/provider-declarations.ts';
import { notAnAnswer } from '../shared/answer/not-an-answer.ts';
import { refusedPicture } from '../shared/images/refused-picture.ts';
import { stabilityRequest } from '../shared/images/stability-request.ts';
import { pictureUsage, toPicture } from '../shared/images/to-pictures.ts';
import { defined } from '../shared/json/defined.ts';

const formats: ReadonlySet<string> = new Set(['png', 'jpeg', 'webp']);
const passes = ['style_preset', 'cfg_scale'];

/**
 * Returns the model for the field that distinguishes several models of Stable Diffusion 3.5 at one path. The other paths have one
 * model each.
 */
const namedModel = (model: string | undefined): string | undefined => (model?.startsWith('sd3') ? model : undefined);

const encodeRequest: ProviderCodec<'image'>['encodeRequest'] = (request) => ({
  ...stabilityRequest(request, { formats, passes, model: namedModel(request.model) }),
  as: 'form',
  headers: ['accept', 'application/json'],
});

/** Whether an image was filtered. Such an image also has bytes, but it is blurred. */
const isFiltered = ({ finish_reason: reason }: JsonObject): boolean => findText(reason) === 'CONTENT_FILTERED';

const decodeAnswer: ProviderCodec<'image'>['decodeAnswer'] = (wire) => {
  if (isFiltered(wire)) throw refusedPicture('CONTENT_FILTERED');
  const picture = toPicture(wire.image);
  if (picture === undefined) throw new TypeError(notAnAnswer(wire, 'pictures'));
  return [picture];
};

/** Errors are `{"id", "name", "errors": […]}`. Those of the content filter get the same name as OpenAI's. */
const decodeError: Dialect['decodeError'] = (status, body) => {
  const wire = parseObject(body);
  const message = toTexts(wire?.errors).join(' ');
  if (message === '') return readHttpError(status, body);
  const name = findText(wire?.name);
  return defined({ message, code: name === 'content_moderation' ? 'content_policy_violation' : name, status });
};

/** Stability's own API: https://platform.stability.ai/docs/api-reference#tag/Generate. Each request produces one image. */
export const stabilityImages: Dialect = {
  ...stabilityDeclaration,
  classify,
  ...errors,
  decodeError,
  usage: (wire) => (isFiltered(wire) || toPicture(wire.image) === undefined ? undefined : pictureUsage(1)),
  metered: { image: true, finish_reason: true },
  providerCodecs: { image: { encodeRequest, decodeAnswer } },
};
