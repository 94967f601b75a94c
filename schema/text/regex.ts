import { LRUCache } from 'lru-cache';
import type { RE2JS } from 're2js';
import { requireModule } from '../modules/require-module.ts';
import { errorText } from './error-text.ts';
import { maxMatchLength } from './max-match-length.ts';
import { type RegexCost, regexCost } from './regex-cost.ts';

/** Returns the pattern that matches exactly this text. */
export const literalPattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Whether the pattern matches anywhere in the text. */
export type TextMatcher = (text: string) => boolean;

/** The place of a match, in UTF-16 units; `to` is exclusive. */
export interface TextMatch {
  readonly from: number;
  readonly to: number;
}

/** A pattern that reports where it matches. */
export interface TextFinder {
  /** Finds the first match at or after `from`. */
  find(text: string, from: number): TextMatch | undefined;
  /** The most UTF-16 units that a match can have; undefined if it is not bounded, or depends on what surrounds it. */
  readonly reach: number | undefined;
}

/** The most steps of a pattern's program. Each costs at worst some nanoseconds per character of a text. */
const maxSteps = 3000;
/** The most work for compiling a pattern, in steps: some ten milliseconds. */
const maxWork = 10_000;
/** The most work of all cached patterns together. */
const rememberedWork = 50_000;

interface Usable extends TextFinder {
  readonly matches: TextMatcher;
  /** The steps of the engine. */
  readonly program: unknown;
}

type Compiled = Usable | { readonly error: string };

/** The cache of patterns, including invalid ones. A pattern is compiled to check it, and again wherever a plan uses it. */
const remembered = new LRUCache<string, Compiled>({ max: 500, maxSize: rememberedWork });

/** Returns why a pattern is not compiled. Seven characters can produce a thousand steps, and nested counts multiply. */
const sizeError = ({ steps, work }: RegexCost): string | undefined => {
  if (steps > maxSteps)
    return `it is too large: it could take more than the ${maxSteps} steps that are allowed; smaller counts help`;
  if (work > maxWork) return 'it is too large: it has too many Unicode classes, or ranges whose case is ignored';
  return undefined;
};

const compile = (pattern: string): Compiled => {
  const engine = requireModule('re2js') as { readonly RE2JS: typeof RE2JS };
  try {
    const compiled = engine.RE2JS.compile(pattern);
    let reach: { readonly max: number | undefined } | undefined;
    // After `test`, the pattern keeps up to 8 MiB of tables; after `find`, it keeps none.
    return {
      matches: (text) => compiled.matcher(text).find(),
      find: (text, from) => {
        const matcher = compiled.matcher(text);
        return matcher.find(from) ? { from: matcher.start(), to: matcher.end() } : undefined;
      },
      // Computed on demand: it recurses over the steps of a long pattern, and most patterns need only `matches`.
      get reach() {
        reach ??= { max: maxMatchLength(compiled.re2Input.prog) };
        return reach.max;
      },
      get program() {
        return compiled.re2Input.prog;
      },
    };
  } catch (error) {
    return { error: errorText(error) };
  }
};

const compilePattern = (pattern: string): Compiled => {
  const known = remembered.get(pattern);
  if (known !== undefined) return known;
  const cost = regexCost(pattern);
  const reason = sizeError(cost);
  if (reason !== undefined) return { error: reason };
  const compiled = compile(pattern);
  remembered.set(pattern, compiled, { size: cost.work });
  return compiled;
};

const requireValid = (pattern: string): Usable => {
  const compiled = compilePattern(pattern);
  if ('error' in compiled) throw new SyntaxError(compiled.error);
  return compiled;
};

/**
 * Compiles a user's pattern to a matcher that runs in time linear in the text (RE2 syntax: no look-arounds, no back-references).
 * Throws a `SyntaxError` that says why a pattern is invalid or too large. The engine is loaded on first use.
 */
export const compileRegex = (pattern: string): TextMatcher => requireValid(pattern).matches;

/**
 * The same, but the matcher reports where the pattern matches. A single search takes time linear in the text; many searches may
 * not.
 */
export const compileFinder = (pattern: string): TextFinder => requireValid(pattern);

/** Returns the steps of the engine for a valid pattern, as `canMatch` reads them. */
export const regexProgram = (pattern: string): unknown => requireValid(pattern).program;

/** Whether `compileRegex` accepts the pattern; this defines the schema format `regex`. */
export const isRegex = (pattern: string): boolean => 'matches' in compilePattern(pattern);
