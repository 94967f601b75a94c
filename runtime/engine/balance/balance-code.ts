/** The code of load balances that are more than a draw by weight. */
export { Balances } from '../../memory/balances.ts';
export { linkChoice } from './link-choice.ts';
