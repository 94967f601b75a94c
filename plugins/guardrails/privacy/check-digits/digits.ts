/** The digits of a text as numbers; other characters are left out. */
export const toDigits = (text: string): readonly number[] => Array.from(text.replaceAll(/\D/g, ''), Number);

/** The sum of numbers, each times its weight. Numbers without a weight count nothing. */
export const weightedSum = (numbers: readonly number[], weights: readonly number[]): number =>
  weights.reduce((sum, weight, index) => sum + weight * (numbers[index] ?? 0), 0);

/** Whether all characters are the same, as in numbers that people invent. */
export const isUniform = (text: string): boolean => new Set(text).size === 1;
