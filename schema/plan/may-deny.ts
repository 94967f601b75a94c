import type { CheckHook, LeafNode } from './plan.ts';
import { listHooks } from './stages.ts';

/** Whether a hook can deny a request or a response. One in the background cannot. */
export const hookMayDeny = ({ async, deny }: Pick<CheckHook, 'async' | 'deny'>): boolean =>
  !async && (deny.onFail || deny.onSuccess);

/** Whether a leaf has a check that may deny a request or its response. */
export const mayDeny = ({ stages }: LeafNode): boolean => stages.some((stage) => listHooks(stage).some(hookMayDeny));
