import { errorText } from '../../../schema/text/error-text.ts';
import type { CheckHttp } from '../../sdk/guardrail/guardrail.ts';
import { type Cancellation, headerValue } from '../../sdk/http/http.ts';
import type { Image } from './image-parts.ts';
import { shownUrl } from './service-url.ts';

export interface ImageRequest {
  readonly url: string;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly cancellation: Cancellation;
}

/** An image and its size in bytes. */
export interface FetchedImage extends Image {
  readonly size: number;
}

/** Fetches an image. Throws an `Error` if it cannot be fetched, is too large, or is not an image. */
export const fetchImage = async (http: CheckHttp, request: ImageRequest): Promise<FetchedImage> => {
  const what = `The image at ${shownUrl(request.url)}`;
  const answer = await http
    .send({ ...request, method: 'GET', headers: { accept: 'image/*' }, urlFromText: true })
    .catch((error: unknown) => {
      throw new Error(`${what} cannot be fetched: ${errorText(error)}`);
    });
  if (answer.status !== 200) throw new Error(`${what} was answered with status ${answer.status}.`);
  const type = headerValue(answer.headers, 'content-type') ?? '';
  const mimeType = /^image\/[\w.+-]+/i.exec(type)?.[0].toLowerCase();
  if (mimeType === undefined) throw new Error(`${what} is not an image.`);
  const bytes = Buffer.from(answer.bytes ?? Buffer.from(answer.text));
  return { mimeType, data: bytes.toString('base64'), size: bytes.length };
};
