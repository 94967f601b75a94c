import { isJsonObject, type Json } from '../../../../schema/json/json.ts';
import { findText } from '../../../../schema/json/loose.ts';
import type { AnswerReader } from '../client/answer-reader.ts';

/** A finding of one policy of a guardrail. */
export interface Finding {
  /** The policy, such as `topicPolicy`. */
  readonly policy: string;
  /** The kind or name, such as `EMAIL`, `VIOLENCE` or the name of a topic. Never the text that was found. */
  readonly kind: string;
  /** `BLOCKED`, `ANONYMIZED`, … */
  readonly action: string;
  /** The text that was found, if the policy reports it. */
  readonly match?: string;
}

/** The words of a list are texts that were found, so they are not shown. */
const toKind = (list: string, { type, name }: { readonly [member: string]: Json }): string =>
  findText(name) ?? findText(type) ?? list;

/** A finding for which it is not known why the guardrail acts. It counts as more than masking. */
const unreadable = (policy: string): Finding => ({ policy, kind: policy, action: 'UNREADABLE' });

const findingsOf = (policy: string, lists: Json): readonly Finding[] => {
  if (!isJsonObject(lists)) return lists === null ? [] : [unreadable(policy)];
  return Object.entries(lists).flatMap(([list, items]) => {
    if (!Array.isArray(items)) return items === null ? [] : [unreadable(policy)];
    return items.flatMap((item: Json): readonly Finding[] => {
      if (!isJsonObject(item)) return [unreadable(policy)];
      // A finding of automated reasoning without an action is only the result of a proof.
      if (policy === 'automatedReasoningPolicy' && item.action === undefined) return [];
      const action = findText(item.action);
      if (action === undefined) return [unreadable(policy)];
      if (action === 'NONE') return [];
      const match = findText(item.match);
      return [{ policy, kind: toKind(list, item), action, ...(match !== undefined && { match }) }];
    });
  });
};

/**
 * Returns the findings of all policies on which the guardrail acts. Unknown policies are read like known ones, as lists of
 * findings that each have an action. Other members of an assessment, such as measured times, are not policies.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_GuardrailAssessment.html
 */
export const findings = (answer: AnswerReader): readonly Finding[] =>
  answer
    .list('assessments')
    .flatMap(({ json }) =>
      Object.entries(json).flatMap(([policy, lists]) => (policy.endsWith('Policy') ? findingsOf(policy, lists) : [])),
    );
