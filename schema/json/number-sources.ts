/** The digits of a number that JavaScript keeps, whatever they are. */
const exactDigits = 15;

/** Whether JavaScript may round a number that is written so. */
export const isRounded = (source: string): boolean => {
  if (source.length <= exactDigits) return false;
  const [digits = ''] = source.replace(/^-?[0.]*|\./g, '').split(/[eE]/);
  return digits.length > exactDigits;
};

const sources = new WeakMap<object, ReadonlyMap<string, string>>();

/** Keeps what numbers of an object or a list were written as, by their names or places. */
export const rememberSources = (holder: object, written: ReadonlyMap<string, string>): void => {
  sources.set(holder, written);
};

/** Lets a copy of an object or a list have its rounded numbers written as before. */
export const keepSources = <Copy extends object>(copy: Copy, original: object): Copy => {
  const written = sources.get(original);
  if (written !== undefined) sources.set(copy, written);
  return copy;
};

/** Whether JavaScript has rounded a number that is a member or an item of an object or a list. */
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
