import type { TrailEvent } from './trail.ts';

/** Whether an input check denied the request. */
export const isInputDenial = (event: TrailEvent): boolean =>
  event.kind === 'checked' && event.phase === 'input' && event.result === 'denied';
