import type { Target } from '../../../schema/plan/plan.ts';
import type { Names } from '../plugins/names.ts';
import { isCallersOwn } from './to-credential.ts';

/** Whether a target is called with the identity of the operator's machine. A request cannot choose that. */
const usesMachine = ({ from, settings }: Target, names: Pick<Names, 'provider'>): boolean =>
  'provider' in from && names.provider(from.provider)?.usesMachineIdentity?.(settings) === true;

/**
 * Whether everything that a target is called with belongs to the caller. Only then may a request choose the destination, and only
 * then is the provider account the caller's alone.
 */
export const isCallersTarget = (target: Target, names: Pick<Names, 'provider'>): boolean =>
  isCallersOwn(target.credential) && target.tls === undefined && !usesMachine(target, names);
