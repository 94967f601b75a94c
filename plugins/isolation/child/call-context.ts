import { AsyncLocalStorage } from 'node:async_hooks';
import type { CheckHttp } from '../../sdk/guardrail.ts';

/** The call that a check runs in: its requests belong to it, and end with it. */
export interface CallContext {
  readonly http: CheckHttp;
  readonly placeholderKey: string;
}

/** The call of the code that is running. */
export const callContext: AsyncLocalStorage<CallContext> = new AsyncLocalStorage();
