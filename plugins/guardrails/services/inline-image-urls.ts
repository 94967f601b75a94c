import type { JsonObject } from '../../../schema/json/json.ts';
import { defineGuardrail, type Guardrail, pass } from '../../sdk/guardrail/guardrail.ts';
import { type FetchedImage, fetchImage } from './fetch-image.ts';
import { imagePart } from './image-parts.ts';
import { mapParts } from './map-parts.ts';

/** The maximum number of images that are fetched for one request. */
const maxImages = 20;

const urlsIn = (body: JsonObject): readonly string[] => {
  const urls = new Set<string>();
  mapParts(body, (part) => {
    const image = imagePart(part);
    if (image !== undefined) urls.add(image.url);
    return undefined;
  });
  return [...urls];
};

const withImages = (body: JsonObject, images: ReadonlyMap<string, FetchedImage>): JsonObject =>
  mapParts(body, (part) => {
    const found = imagePart(part);
    const image = found === undefined ? undefined : images.get(found.url);
    return image && found?.inline({ mimeType: image.mimeType, data: image.data });
  });

/**
 * Fetches images that a request refers to by URL and puts them into the request, for providers that do not fetch images. Passes,
 * or throws if an image cannot be fetched.
 */
export const inlineImageUrls: Guardrail = defineGuardrail({
  id: 'default.inlineImageUrls',
  phases: ['input'],
  parameters: {
    type: 'object',
    required: ['providers'],
    properties: {
      providers: {
        type: 'array',
        items: { type: 'string', minLength: 1 },
        minItems: 1,
        description: 'The providers for which images are fetched: ["bedrock"].',
      },
      maxSizeBytes: {
        type: 'integer',
        minimum: 1,
        maximum: 33_554_432,
        default: 20_971_520,
        description: 'The maximum total size of all images in a request.',
      },
      timeoutMs: { type: 'integer', minimum: 1, maximum: 600_000, default: 30_000, description: 'For each image.' },
    },
  },
  timeoutMs: ({ timeoutMs }) => timeoutMs,
  create({ providers, maxSizeBytes, timeoutMs }, { http }) {
    return async ({ request, target, cancellation }) => {
      if (!providers.includes(target.provider))
        return pass('The provider is not one of those for which images are fetched.');
      const urls = urlsIn(request.json);
      if (urls.length === 0) return pass('The request refers to no image by URL.');
      if (urls.length > maxImages) throw new Error(`The request refers to more than ${maxImages} images by URL.`);
      const images = new Map<string, FetchedImage>();
      let maxBytes = maxSizeBytes;
      // Sequentially, so that together they never take more memory than allowed.
      for (const url of urls) {
        const image = await fetchImage(http, { url, timeoutMs, maxBytes, cancellation });
        images.set(url, image);
        maxBytes -= image.size;
      }
      return {
        pass: true,
        data: {
          explanation: `The images of the request were fetched and put into it: ${urls.length}.`,
          images: urls.length,
        },
        body: withImages(request.json, images),
      };
    };
  },
});
