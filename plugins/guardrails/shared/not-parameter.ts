/** The parameter that inverts a check. */
export const notParameter = {
  type: 'boolean',
  default: false,
  description: 'Invert the check: pass if it would fail, and fail if it would pass.',
} as const;
