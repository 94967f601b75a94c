import type { ImageSize } from '../../../schema/operations/image.ts';

/** How many pixels the longer side has, for each named size, largest first. */
const sizes: readonly (readonly [name: string, pixels: number])[] = [
  ['4K', 3840],
  ['2K', 2048],
];

/** Returns the name of a size above the default, if the model has it. */
export const toImageSize = (size: ImageSize | undefined, named: readonly string[]): string | undefined => {
  if (size === undefined) return undefined;
  const longer = Math.max(size.width, size.height);
  return sizes.find(([name, pixels]) => named.includes(name) && longer >= pixels)?.[0];
};
