/** The code of fallbacks with a hedge. */
export { HedgeBudgets } from '../../in-memory/hedge-budgets.ts';
export { linkHedge } from './link-hedge.ts';
