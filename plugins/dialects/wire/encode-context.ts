import type { Lost } from './lost.ts';

/** What has been lost so far of a request, and the scope of the bound values that its target made. */
export interface EncodeContext {
  readonly lost: Lost;
  readonly scope: string;
}
