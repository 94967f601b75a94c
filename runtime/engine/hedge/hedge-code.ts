/** The code of fallbacks with a hedge. */
export { HedgeBudgets } from '../../memory/hedge-budgets.ts';
export { linkHedge } from './link-hedge.ts';
