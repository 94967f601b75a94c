/** The digits of a number that JavaScript keeps, whatever they are. */
const exactDigits = 15;

/** An exponent of numbers that may be too large for JavaScript, or so small that it keeps fewer digits of them, or none. */
const farExponent = /[eE][+-]?\d{3}/;

/** The smallest number that has all of its digits. */
const minNormal = 2 ** -1022;

/** Whether JavaScript may round a number that is written so: also to infinity, which JSON cannot have, or to zero. */
export const isRounded = (source: string): boolean => {
  if (source.length <= exactDigits && !farExponent.test(source)) return false;
  const [digits = ''] = source.replace(/^-?[0.]*|\./g, '').split(/[eE]/);
  if (digits === '' || digits.length > exactDigits) return digits !== '';
  const size = Math.abs(Number(source));
  return size < minNormal || size === Number.POSITIVE_INFINITY;
};

const sources = new WeakMap<object, ReadonlyMap<string, string>>();

/**
 * Keeps what numbers of an object or a list were written as, by their names or places. Of one that only has such objects or
 * lists inside there are none.
 */
export const rememberSources = (holder: object, written: ReadonlyMap<string, string>): void => {
  sources.set(holder, written);
};

/** Lets a copy of an object or a list have its rounded numbers written as before. */
export const keepSources = <Copy extends object>(copy: Copy, original: object): Copy => {
  const written = sources.get(original);
  if (written !== undefined) sources.set(copy, written);
  return copy;
};

/** Whether JavaScript has rounded a number in an object or a list, or inside of it, that was read so. */
export const hasSources = (holder: object): boolean => sources.has(holder);

/** The text that a number of an object or a list was written as, if JavaScript has rounded it. */
export const sourceOf = (value: number, holder: object, key: string): string | undefined => {
  const source = sources.get(holder)?.get(key);
  // A name may occur twice in an object.
  return source !== undefined && Number(source) === value ? source : undefined;
};

/** A number of an object or a list as a text: as it was written, if JavaScript has rounded it. */
export const numberText = (value: number, holder: object, key: string): string =>
  sourceOf(value, holder, key) ?? String(value);
