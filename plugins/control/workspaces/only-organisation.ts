import type { Principal } from '../../sdk/exchange.ts';
import { problem } from '../keys/problem.ts';
import { forbidden } from '../saved/forbidden.ts';

/** Throws the `GatewayError` `forbidden` for a caller that does not reach the whole organisation; `what` it cannot do. */
export const onlyOrganisation = ({ reach }: Principal, what: string): void => {
  if (reach === 'organisation') return;
  throw forbidden([problem([], `A caller of one workspace cannot ${what}.`, 'Use a key of the organisation.')]);
};
