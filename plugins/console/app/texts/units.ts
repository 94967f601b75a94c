/** Amounts with their units. */
export const unitTexts = {
  milliseconds: (amount: string): string => `${amount} ms`,
  seconds: (amount: string): string => `${amount} s`,
  minutes: (minutes: number, seconds: number): string => `${minutes} min ${seconds} s`,
  megabytes: (amount: string): string => `${amount} MB`,
} as const;
