/** How many digits of a number JavaScript always keeps. */
const exactDigits = 15;

/** Matches the exponent of a number that may be too large for JavaScript, or so small that it keeps fewer digits or none. */
const longExponent = /[eE][+-]?\d{3}/;

/** The smallest number that keeps all of its digits. */
const minNormal = 2 ** -1022;

/** Whether JavaScript may round a number with this text, including to infinity, which JSON cannot represent, or to zero. */
export const isRounded = (source: string): boolean => {
  if (source.length <= exactDigits && !longExponent.test(source)) return false;
  const [digits = ''] = source.replace(/^-?[0.]*|\./g, '').split(/[eE]/);
  if (digits === '' || digits.length > exactDigits) return digits !== '';
  const size = Math.abs(Number(source));
  return size < minNormal || size === Number.POSITIVE_INFINITY;
};

const sources = new WeakMap<object, ReadonlyMap<string, string>>();

/**
 * Stores the original texts of numbers in an object or a list, by their names or indices. The map is empty if only objects or
 * lists within it have such numbers.
 */
export const rememberSources = (holder: object, written: ReadonlyMap<string, string>): void => {
  sources.set(holder, written);
};

/** Copies the stored texts of rounded numbers to a copy of an object or a list, and returns the copy. */
export const keepSources = <Copy extends object>(copy: Copy, original: object): Copy => {
  const written = sources.get(original);
  if (written !== undefined) sources.set(copy, written);
  return copy;
};

/** Whether JavaScript has rounded a number in an object or a list, at any depth. */
export const hasSources = (holder: object): boolean => sources.has(holder);

/** Returns the original text of a number in an object or a list, if JavaScript has rounded it. */
export const sourceOf = (value: number, holder: object, key: string): string | undefined => {
  const source = sources.get(holder)?.get(key);
  // A name may occur twice in an object.
  return source !== undefined && Number(source) === value ? source : undefined;
};

/** Returns a number of an object or a list as text: the original text if JavaScript has rounded it. */
export const numberText = (value: number, holder: object, key: string): string =>
  sourceOf(value, holder, key) ?? String(value);
