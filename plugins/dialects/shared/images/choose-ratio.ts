import type { ImageRequest } from '../../../../schema/operations/image.ts';

/** A ratio that a format has, and the member of the request that it expresses inexactly. */
export interface ChosenRatio {
  readonly ratio: string | undefined;
  readonly lost: readonly string[];
}

/** Ratios that differ by less look the same: 1792 by 1024 pixels count as 16:9. */
const tolerance = 0.02;

const toNumber = (ratio: string): number => {
  const [width = 1, height = 1] = ratio.split(':').map(Number);
  return width / height;
};

/** Returns the distance between two ratios, which is the same for an image and the same image turned. */
const distance = (ratio: string, wanted: number): number => Math.abs(Math.log(toNumber(ratio) / wanted));

/**
 * For a format that has aspect ratios instead of sizes, returns the ratio nearest to the requested ratio or size. A difference of
 * more than 2 % is a loss. The service chooses how many pixels an image has.
 */
export const chooseRatio = (
  { size, aspectRatio }: Pick<ImageRequest, 'size' | 'aspectRatio'>,
  ratios: readonly string[],
): ChosenRatio => {
  const wanted = aspectRatio ?? (size && `${size.width}:${size.height}`);
  if (wanted === undefined) return { ratio: undefined, lost: [] };
  const value = toNumber(wanted);
  const [ratio] = [...ratios].sort((one, other) => distance(one, value) - distance(other, value));
  const isExact = ratio !== undefined && distance(ratio, value) <= tolerance;
  return { ratio, lost: isExact ? [] : [aspectRatio === undefined ? 'size' : 'aspectRatio'] };
};
