import type { CheckHook, LeafNode } from './plan.ts';
import { listHooks } from './stages.ts';

/** Whether a hook is set to deny. In the background it only reports that it would. */
export const isSetToDeny = ({ deny }: Pick<CheckHook, 'deny'>): boolean => deny.onFail || deny.onSuccess;

/** Whether a hook can deny a request or a response. One in the background cannot. */
export const hookMayDeny = (hook: Pick<CheckHook, 'async' | 'deny'>): boolean => !hook.async && isSetToDeny(hook);

/** Whether a leaf has a check that may deny a request or its response. */
export const mayDeny = ({ stages }: LeafNode): boolean => stages.some((stage) => listHooks(stage).some(hookMayDeny));
