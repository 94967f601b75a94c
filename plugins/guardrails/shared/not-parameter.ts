/** The parameter that inverts a check. */
export const notParameter = {
  type: 'boolean',
  default: false,
  description: 'Pass where the check would fail, and fail where it would pass.',
} as const;
