/** The code of load balances that do more than a weighted draw. */
export { Balances } from '../../in-memory/balances.ts';
export { linkChoice } from './link-choice.ts';
