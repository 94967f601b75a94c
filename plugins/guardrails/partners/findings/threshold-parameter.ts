/** The schema of the lowest score at which a check fails. */
export const thresholdParameter: {
  readonly type: 'number';
  readonly minimum: number;
  readonly maximum: number;
  readonly default: number;
  readonly description: string;
} = {
  type: 'number',
  minimum: 0,
  maximum: 1,
  default: 0.5,
  description: 'The lowest score at which the check fails.',
};
