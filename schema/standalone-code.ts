import { minifySync, parseSync } from 'rolldown/utils';

/**
 * Inlines the run-time helpers that standalone code imports from Ajv, so that a validator needs no library: `isSameJson` is
 * imported.
 */
export const inlineHelpers = (code: string): string =>
  code
    .replaceAll('require("ajv/dist/runtime/ucs2length").default', '(text) => [...text].length')
    .replaceAll('require("ajv/dist/runtime/equal").default', 'isSameJson');

/**
 * For each value with errors, Ajv's code copies all errors found so far, so its time would grow with the square of the number of
 * wrong values. Each list belongs to one call only, and can be extended in place.
 */
export const joinInPlace = (code: string): string =>
  code.replaceAll(
    /vErrors\s*===\s*null\s*\?\s*([\w.]+)\.errors\s*:\s*vErrors\.concat\(\1\.errors\)/g,
    'joined(vErrors, $1.errors)',
  );

/** Minifies code, with one top-level declaration per line so that a diff shows which ones changed. */
export const minified = (code: string): string => {
  const options = { module: false, compress: false, mangle: { toplevel: false } } as const;
  const { code: short, errors } = minifySync('validator.js', code, options);
  const [error] = errors;
  if (error !== undefined) throw error;
  const { body } = parseSync('validator.js', short, { sourceType: 'script' }).program;
  return body.map(({ start, end }) => `${short.slice(start, end)}\n`).join('');
};
