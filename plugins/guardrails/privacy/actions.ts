import type { FindingAction } from './redaction.ts';

/** The parameters of every check that blocks or replaces what it finds. */
export const actionParameters = {
  action: {
    enum: ['block', 'redact', 'redact-reversibly'],
    default: 'block',
    description:
      'Fail where something is found; or replace it by its kind, such as [EMAIL]; or, in a request, by a placeholder whose value the client is given again in the answer.',
  },
  not: { type: 'boolean', default: false, description: 'With "block": pass only where something is found.' },
} as const;

/** What the schema cannot say of them. */
export const actionFaults = ({
  action,
  not,
}: {
  readonly action: FindingAction;
  readonly not: boolean;
}): readonly string[] =>
  not && action !== 'block'
    ? [`"not" has no meaning with the action "${action}", which always passes. Leave one of them out.`]
    : [];
