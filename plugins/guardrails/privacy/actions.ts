import type { JudgedParts } from '../../sdk/guardrail/guardrail.ts';
import type { FindingAction } from './redaction.ts';

/** The parameters of every check that blocks or replaces what it finds. */
export const actionParameters = {
  action: {
    enum: ['block', 'redact', 'redact-reversibly'],
    default: 'block',
    description:
      'Fail where something is found, for which only a guardrail with `deny: true` refuses: without it the text goes on, and the answer has the status 246; or replace it by its kind, such as [EMAIL]; or, in a request, by a placeholder whose value the client is given again in the answer. Requests for embeddings and moderations are never changed, but refused where the guardrail denies.',
  },
  not: { type: 'boolean', default: false, description: 'With "block": pass only where something is found.' },
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
    ? [`"not" has no meaning with the action "${action}", which always passes. Leave one of them out.`]
    : [];

/** Whether a check with this action changes what it judges. */
export const actionRewrites = ({ action }: Pick<Action, 'action'>): boolean => action !== 'block';

/** Returns how such a check judges a stream. With `not`, nothing is known before the end. `overlap` is that of `JudgedParts`. */
export const actionParts = ({ not }: Pick<Action, 'not'>, overlap: number): JudgedParts | undefined =>
  not ? undefined : { overlap };
