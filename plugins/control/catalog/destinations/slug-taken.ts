import type { GatewayError } from '../../../../schema/errors/errors.ts';
import { conflict } from '../../kernel/requests/refusals.ts';

/** A name that is taken, in the place that has it. */
export const slugTaken = (slug: string, by: string): GatewayError =>
  conflict(`The slug "${slug}" is taken by ${by}.`, 'Choose another slug.');
