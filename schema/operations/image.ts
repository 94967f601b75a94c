import type { JsonObject } from '../json/json.ts';

/** Pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** A request for pictures of what a text says, in no dialect. */
export interface ImageRequest {
  readonly model?: string;
  readonly prompt: string;
  /** How many pictures the client wants. */
  readonly count: number;
  readonly size?: ImageSize;
  /** The ratio of the sides, such as `16:9`, where the client names it instead of a size. */
  readonly aspectRatio?: string;
  /** `standard`, `hd`, `low`, `medium`, `high`, … */
  readonly quality?: string;
  readonly style?: string;
  /** `transparent` or `opaque`. */
  readonly background?: string;
  /** `png`, `jpeg`, `webp`, … */
  readonly format?: string;
  /** From 0 to 100. */
  readonly compression?: number;
  readonly seed?: number;
  /** Things that the pictures are not to show. */
  readonly negativePrompt?: string;
  /** Whether the client wants the bytes of pictures, or addresses of them; absent: either. */
  readonly delivery?: 'base64' | 'url';
  /** The most previews of a picture, which is being streamed. */
  readonly previews?: number;
  readonly stream: boolean;
  /** Members of the client's body that have no place here: services call some of what they add to it the same. */
  readonly extensions: JsonObject;
}

/** One picture. */
export interface Picture {
  readonly source: { readonly kind: 'base64'; readonly data: string } | { readonly kind: 'url'; readonly url: string };
  /** The prompt as the provider has rewritten it. */
  readonly revisedPrompt?: string;
}

/** The pictures of a request: at least one. */
export type Pictures = readonly Picture[];
