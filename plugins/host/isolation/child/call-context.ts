import { AsyncLocalStorage } from 'node:async_hooks';
import type { CheckHttp } from '../../../sdk/guardrail/guardrail.ts';

/** The call that a check runs in: its requests belong to it, and end with it. */
export interface CallContext {
  readonly http: CheckHttp;
  readonly placeholderKey: string;
  /** Notifies the gateway that the check goes on, before it does. */
  readonly goesOn: () => void;
}

/** The call of the code that is running. */
export const callContext: AsyncLocalStorage<CallContext> = new AsyncLocalStorage();
