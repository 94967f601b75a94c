import type { JsonObject } from '../../../schema/json/json.ts';
import type { CheckHook, Feedback } from '../../../schema/plan/plan.ts';

interface Outcome {
  readonly feedback?: { readonly value?: number; readonly weight?: number; readonly metadata?: JsonObject };
}

const findFeedback = (outcome: Outcome | undefined): Feedback | undefined => outcome?.feedback;

/** Builds the feedback of a hook, for each outcome that has one. */
export const hookFeedback = (onFail: Outcome | undefined, onSuccess: Outcome | undefined): CheckHook['feedback'] => {
  const fail = findFeedback(onFail);
  const success = findFeedback(onSuccess);
  return { ...(fail === undefined ? {} : { onFail: fail }), ...(success === undefined ? {} : { onSuccess: success }) };
};
