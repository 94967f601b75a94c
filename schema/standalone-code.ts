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
 * Ajv's code copies all errors found so far for each value that adds some, so that its time would grow with the square of
 * the values that are wrong. Each list is the only one of its call, and can be added to.
 */
export const joinInPlace = (code: string): string =>
  code.replaceAll(
    /vErrors\s*===\s*null\s*\?\s*([\w.]+)\.errors\s*:\s*vErrors\.concat\(\1\.errors\)/g,
    'joined(vErrors, $1.errors)',
  );

/** Writes code without what only people read, one top-level declaration in a line, so that a diff shows which ones changed. */
export const minified = (code: string): string => {
  const options = { module: false, compress: false, mangle: { toplevel: false } } as const;
  const { code: short, errors } = minifySync('validator.js', code, options);
  const [error] = errors;
  if (error !== undefined) throw error;
  const { body } = parseSync('validator.js', short, { sourceType: 'script' }).program;
  return body.map(({ start, end }) => `${short.slice(start, end)}\n`).join('');
};
