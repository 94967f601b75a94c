import { compileRegex, isRegex } from '../../../schema/text/regex.ts';

/** How a value is compared with those that are expected. */
export type TextMatchType = 'exact' | 'contains' | 'regex';

/** Its schema. */
export const textMatchTypes = ['exact', 'contains', 'regex'] as const;

/** Whether a text is like an expected one. Made once for each. */
export const textTest = (type: TextMatchType, expected: string): ((text: string) => boolean) => {
  if (type === 'regex') return compileRegex(expected);
  return type === 'contains' ? (text) => text.includes(expected) : (text) => text === expected;
};

/** Lists what is wrong with texts that are to be patterns. */
export const patternErrors = (type: string, expected: readonly string[]): readonly string[] =>
  type !== 'regex'
    ? []
    : expected
        .filter((pattern) => !isRegex(pattern))
        .map((pattern) => `"${pattern}" is not a pattern that runs in linear time. Use RE2 syntax.`);
