import { createRequire } from 'node:module';
import type { RE2JS } from 're2js';
import { errorText } from './error-text.ts';

/** Tells whether the pattern is found anywhere in the text. */
export type TextMatcher = (text: string) => boolean;

const require = createRequire(import.meta.url);

/** Steps of a pattern's program. Each costs some nanoseconds for each character of a text, at the worst. */
const mostSteps = 3000;

/**
 * A user's pattern as a matcher that runs in time linear in the text (RE2 syntax: no look-arounds, no
 * back-references), and is not too large. Throws a `SyntaxError` that says why a pattern is not one. The engine is loaded on first use.
 */
export const compileRegex = (pattern: string): TextMatcher => {
  const engine: { RE2JS: typeof RE2JS } = require('re2js');
  const compiled = compiledBy(engine, pattern);
  const steps = compiled.programSize();
  if (steps > mostSteps)
    throw new SyntaxError(`it is too large: ${steps} steps, and at most ${mostSteps} are allowed; smaller counts help`);
  return (text) => compiled.matcher(text).find();
};

const compiledBy = (engine: { readonly RE2JS: typeof RE2JS }, pattern: string): RE2JS => {
  try {
    return engine.RE2JS.compile(pattern);
  } catch (error) {
    throw new SyntaxError(errorText(error));
  }
};

/** Whether `compileRegex` takes the pattern: what the schema format `regex` means. */
export const isRegex = (pattern: string): boolean => {
  try {
    compileRegex(pattern);
    return true;
  } catch {
    return false;
  }
};
