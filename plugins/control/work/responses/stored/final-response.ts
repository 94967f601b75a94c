import type { JsonObject } from '../../../../../schema/json/json.ts';
import type { AnswerForm } from './answer-form.ts';

/** Keeps a response. Never rejects: why it was not kept is the answer. */
export type Keep = (response: JsonObject) => Promise<'kept' | 'too-large' | 'unavailable'>;

export interface AnswerKeeping {
  readonly form: AnswerForm;
  /** Absent if the answer is not kept. */
  readonly keep?: Keep;
}

/** The response as its client gets it, once it is kept or could not be. */
export const finalResponse = async (
  response: JsonObject,
  { form, keep }: AnswerKeeping,
): Promise<{ readonly response: JsonObject; readonly why?: string }> => {
  const formed = form.of(response);
  if (keep === undefined) return { response: formed };
  const outcome = await keep(formed);
  return outcome === 'kept' ? { response: formed } : { response: { ...formed, store: false }, why: outcome };
};
