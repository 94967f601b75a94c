import type { ImageRequest } from '../../../../schema/operations/image.ts';

/** A ratio that a format has, and the member of the request that it says less exactly. */
export interface ChosenRatio {
  readonly ratio: string | undefined;
  readonly lost: readonly string[];
}

/** Ratios that differ by less look the same: 1792 by 1024 pixels are 16:9 for whoever asks for them. */
const tolerance = 0.02;

const toNumber = (ratio: string): number => {
  const [width = 1, height = 1] = ratio.split(':').map(Number);
  return width / height;
};

/** How far two ratios are from each other: as far for a picture and the same picture turned. */
const distance = (ratio: string, wanted: number): number => Math.abs(Math.log(toNumber(ratio) / wanted));

/**
 * For a format that has ratios of the sides in place of sizes: the one that is nearest to the ratio, or to the size, that
 * the client asks for. What differs from it by more than 2 % is a loss; how many pixels a picture has is the service's choice.
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
