import type { JudgedParts } from '../../sdk/guardrail/guardrail.ts';
import type { FindingAction } from './redaction.ts';

/** The parameters of every check that blocks or replaces what it finds. */
export const actionParameters = {
  action: {
    enum: ['block', 'redact', 'redact-reversibly'],
    default: 'block',
    description:
      'What to do if something is found. "block" fails the check: a guardrail with `deny: true` then refuses the text, and any other lets it continue with the status 246. "redact" replaces it with its kind, such as [EMAIL]. "redact-reversibly" replaces it in a request with a placeholder, and restores the value in the answer to the client. Requests for embeddings and moderations are never changed, but refused if the guardrail denies.',
  },
  not: { type: 'boolean', default: false, description: 'With "block": pass only if something is found.' },
} as const;

/** Reversible redaction has no effect on answers, because the client would receive the original values again. */
export const actionRequestValues: { readonly action: readonly FindingAction[] } = { action: ['redact-reversibly'] };

interface Action {
  readonly action: FindingAction;
  readonly not: boolean;
}

/** Returns the errors that the schema cannot express. */
export const actionErrors = ({ action, not }: Action): readonly string[] =>
  not && action !== 'block'
    ? [`"not" has no effect with the action "${action}", which always passes. Remove one of them.`]
    : [];

/** Whether a check with this action changes what it judges. */
export const actionRewrites = ({ action }: Pick<Action, 'action'>): boolean => action !== 'block';

/** Returns how such a check judges a stream. With `not`, nothing is known before the end. `overlap` is that of `JudgedParts`. */
export const actionParts = ({ not }: Pick<Action, 'not'>, overlap: number): JudgedParts | undefined =>
  not ? undefined : { overlap };
