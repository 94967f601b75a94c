import { createRequire } from 'node:module';
import type { RE2JS } from 're2js';

/** Tells whether the pattern is found anywhere in the text. */
export type TextMatcher = (text: string) => boolean;

const require = createRequire(import.meta.url);

/**
 * A user's pattern as a matcher that runs in time linear in the text (RE2 syntax: no look-arounds, no
 * back-references). Throws a `SyntaxError` that says why a pattern is not one. The engine is loaded on first use.
 */
export const compileRegex = (pattern: string): TextMatcher => {
  const engine: { RE2JS: typeof RE2JS } = require('re2js');
  try {
    const compiled = engine.RE2JS.compile(pattern);
    return (text) => compiled.matcher(text).find();
  } catch (error) {
    throw new SyntaxError(error instanceof Error ? error.message : String(error));
  }
};
