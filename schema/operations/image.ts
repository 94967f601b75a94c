import type { JsonObject } from '../json/json.ts';

/** Pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** A request to generate images from a prompt, independent of any dialect. */
export interface ImageRequest {
  readonly model?: string;
  readonly prompt: string;
  /** How many images the client wants. */
  readonly count: number;
  readonly size?: ImageSize;
  /** The aspect ratio, such as `16:9`, if the client specifies it instead of a size. */
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
  /** Things that the images must not show. */
  readonly negativePrompt?: string;
  /** Whether the client wants the bytes of the images or their addresses; either if absent. */
  readonly delivery?: 'base64' | 'url';
  /** The most previews of an image that is being streamed. */
  readonly previews?: number;
  readonly stream: boolean;
  /** Members of the client's body that have no counterpart here. Services have the same names for some of what they add to it. */
  readonly extensions: JsonObject;
}

/** An image. */
export interface Picture {
  readonly source: { readonly kind: 'base64'; readonly data: string } | { readonly kind: 'url'; readonly url: string };
  /** The prompt as the provider has rewritten it. */
  readonly revisedPrompt?: string;
}

/** The images of a request: at least one. */
export type Pictures = readonly Picture[];
