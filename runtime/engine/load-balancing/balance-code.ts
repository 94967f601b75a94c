/** The code of load balances that do more than a weighted draw. */
export { Balances } from '../../memory/balances.ts';
export { linkChoice } from './link-choice.ts';
