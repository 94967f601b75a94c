import type { Operation } from './exchange.ts';

/** Whether a modelled operation's answers may be streams; an embedding is always one answer. */
export const mayStream = (operation: Operation): boolean => operation === 'converse' || operation === 'complete';
