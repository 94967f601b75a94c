import type { ImageSize } from '../../../schema/operations/image.ts';

/** Pixels of the longer side, the longest first. */
const sizes: readonly (readonly [name: string, pixels: number])[] = [
  ['4K', 3840],
  ['2K', 2048],
];

/** The name of a size that is larger than the usual one, of those that a model has. */
export const toImageSize = (size: ImageSize | undefined, named: readonly string[]): string | undefined => {
  if (size === undefined) return undefined;
  const longer = Math.max(size.width, size.height);
  return sizes.find(([name, pixels]) => named.includes(name) && longer >= pixels)?.[0];
};
