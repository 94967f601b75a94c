import type { JsonObject } from '../../../schema/json/json.ts';
import type { ImageRequest, ImageSize, Picture } from '../../../schema/operations/image.ts';
import type { Frame } from '../../sdk/dialect/dialect.ts';
import type { ClientCodec } from '../../sdk/dialect/operation-codec.ts';
import { jsonFrame } from '../shared/answer/json-frame.ts';
import { defined } from '../shared/json/defined.ts';
import { Member } from '../shared/json/member.ts';
import { encodeUsage } from './usage.ts';

const id = 'images';

/** The members that other formats may be able to express. Those that are not OpenAI's have the same name at many services. */
const known: ReadonlySet<string> = new Set([
  ...['model', 'prompt', 'n', 'size', 'quality', 'style', 'background', 'output_format', 'output_compression'],
  ...['response_format', 'stream', 'partial_images', 'seed', 'negative_prompt', 'aspect_ratio'],
]);

const readCount = (count: Member): number => {
  const value = count.maybeNumber() ?? 1;
  return Number.isInteger(value) && value > 0 ? value : count.fail('must be a whole number above 0');
};

/** Reads the size. `auto` leaves it to the model, as does a missing size. */
const readSize = (size: Member): ImageSize | undefined => {
  const value = size.maybeText();
  if (value === undefined || value === 'auto') return undefined;
  const [, width, height] = /^([1-9]\d{0,4})x([1-9]\d{0,4})$/.exec(value) ?? [];
  if (width === undefined || height === undefined) return size.fail('must be auto, or a size such as 1024x1024');
  return { width: Number(width), height: Number(height) };
};

const readRatio = (ratio: Member): string | undefined => {
  const value = ratio.maybeText();
  return value === undefined || /^[1-9]\d{0,3}:[1-9]\d{0,3}$/.test(value)
    ? value
    : ratio.fail('must be a ratio such as 16:9');
};

/** Returns undefined for a value that changes nothing: the default, or one that leaves the choice to the model. */
const unless = (text: string | undefined, ...defaults: readonly string[]): string | undefined =>
  text !== undefined && defaults.includes(text) ? undefined : text;

const readDelivery = (format: Member): ImageRequest['delivery'] => {
  const value = format.maybeText();
  if (value === undefined || value === 'url') return value;
  return value === 'b64_json' || value === 'base64' ? 'base64' : format.fail('must be url or b64_json');
};

const decodeRequest: ClientCodec<'image'>['decodeRequest'] = (body, { model }) => {
  const wire = new Member(id, '', body);
  const stream = wire.at('stream').maybeBoolean() ?? false;
  return defined({
    model: model ?? wire.at('model').maybeText(),
    prompt: wire.at('prompt').text(),
    count: readCount(wire.at('n')),
    size: readSize(wire.at('size')),
    aspectRatio: readRatio(wire.at('aspect_ratio')),
    quality: unless(wire.at('quality').maybeText(), 'auto', 'standard'),
    style: wire.at('style').maybeText(),
    background: unless(wire.at('background').maybeText(), 'auto', 'opaque'),
    format: wire.at('output_format').maybeText(),
    compression: wire.at('output_compression').maybeNumber(),
    seed: wire.at('seed').maybeNumber(),
    negativePrompt: wire.at('negative_prompt').maybeText(),
    delivery: readDelivery(wire.at('response_format')),
    previews: wire.at('partial_images').maybeNumber() || undefined,
    stream,
    extensions: Object.fromEntries(Object.entries(body).filter(([name, value]) => !known.has(name) && value !== null)),
  }) as ImageRequest;
};

const encodePicture = ({ source, revisedPrompt }: Picture): JsonObject =>
  defined({
    b64_json: source.kind === 'base64' ? source.data : undefined,
    url: source.kind === 'url' ? source.url : undefined,
    revised_prompt: revisedPrompt,
  }) as JsonObject;

/** Returns the token counts, if the provider counts tokens. */
const usageMember = (usage: Parameters<typeof encodeUsage>[0]): JsonObject =>
  usage.input > 0 || usage.output > 0 ? { usage: encodeUsage(usage) } : {};

/** https://platform.openai.com/docs/api-reference/images/object */
const encodeAnswer: ClientCodec<'image'>['encodeAnswer'] = (pictures, { usage, created }) => ({
  created,
  data: pictures.map(encodePicture),
  ...usageMember(usage),
});

/**
 * Returns one event for each image, without previews: fewer previews than requested may come.
 * https://platform.openai.com/docs/api-reference/images-streaming. The last event has the usage of all images.
 */
const encodeStream: ClientCodec<'image'>['encodeStream'] = (
  pictures,
  { request: { stream, size }, usage, created },
) => {
  if (!stream) return undefined;
  const type = 'image_generation.completed';
  return pictures.map((picture, index): Frame => {
    const isLast = index === pictures.length - 1;
    const place = size === undefined ? {} : { size: `${size.width}x${size.height}` };
    return jsonFrame(
      { type, created_at: created, ...place, ...encodePicture(picture), ...(isLast ? usageMember(usage) : {}) },
      type,
    );
  });
};

/** https://platform.openai.com/docs/api-reference/images/create */
export const codec: ClientCodec<'image'> = { decodeRequest, encodeAnswer, encodeStream };
