/** Returns the digits of a text as numbers, without other characters. */
export const toDigits = (text: string): readonly number[] => Array.from(text.replaceAll(/\D/g, ''), Number);

/** Returns the sum of numbers multiplied by their weights. Numbers without a weight are ignored. */
export const weightedSum = (numbers: readonly number[], weights: readonly number[]): number =>
  weights.reduce((sum, weight, index) => sum + weight * (numbers[index] ?? 0), 0);

/** Whether all characters are the same, as in made-up numbers. */
export const isUniform = (text: string): boolean => new Set(text).size === 1;
