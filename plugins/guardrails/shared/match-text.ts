import { compileRegex, isRegex } from '../../../schema/text/regex.ts';

/** How a value is compared with the expected ones. */
export type TextMatchType = 'exact' | 'contains' | 'regex';

/** The values of `TextMatchType`, for schemas. */
export const textMatchTypes = ['exact', 'contains', 'regex'] as const;

/** Creates a function that compares texts with an expected one. Create it once for each. */
export const textTest = (type: TextMatchType, expected: string): ((text: string) => boolean) => {
  if (type === 'regex') return compileRegex(expected);
  return type === 'contains' ? (text) => text.includes(expected) : (text) => text === expected;
};

/** Returns the errors in texts that must be patterns. */
export const patternErrors = (type: string, expected: readonly string[]): readonly string[] =>
  type !== 'regex'
    ? []
    : expected
        .filter((pattern) => !isRegex(pattern))
        .map((pattern) => `"${pattern}" is not a pattern that runs in linear time. Use RE2 syntax.`);
