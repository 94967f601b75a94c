import { AsyncLocalStorage } from 'node:async_hooks';
import type { CheckHttp } from '../../../sdk/guardrail/guardrail.ts';

/** The call in which a check runs. Its requests belong to the call and are aborted with it. */
export interface CallContext {
  readonly http: CheckHttp;
  readonly placeholderKey: string;
  /** Notifies the gateway that the check is about to continue. */
  readonly reportProgress: () => void;
}

/** The call to which the running code belongs. */
export const callContext: AsyncLocalStorage<CallContext> = new AsyncLocalStorage();
