/** How many of the values that a check looks for must be present. */
export type Operator = 'any' | 'all' | 'none';

/** The values of `Operator`, for schemas. */
export const operators = ['any', 'all', 'none'] as const;

const tests: Readonly<Record<Operator, (found: number, wanted: number) => boolean>> = {
  any: (found) => found > 0,
  all: (found, wanted) => found === wanted,
  none: (found) => found === 0,
};

const words: Readonly<Record<Operator, string>> = { any: 'at least one', all: 'all', none: 'none' };

/** Whether the number of values found satisfies the operator. */
export const operatorHolds = (operator: Operator, found: number, wanted: number): boolean =>
  tests[operator](found, wanted);

/** Returns an operator in words: `at least one`. */
export const operatorInWords = (operator: Operator): string => words[operator];
