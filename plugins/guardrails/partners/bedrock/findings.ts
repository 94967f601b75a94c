import type { Json } from '../../../../schema/json/json.ts';
import { findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import type { AnswerReader } from '../client/answer-reader.ts';

/** A finding of one policy of a guardrail. */
export interface Finding {
  /** The policy, such as `topicPolicy`. */
  readonly policy: string;
  /** Its kind or name, such as `EMAIL`, `VIOLENCE` or the name of a topic; never the text that was found. */
  readonly kind: string;
  /** `BLOCKED`, `ANONYMIZED`, … */
  readonly action: string;
  /** The text that was found, where the policy reports it. */
  readonly match?: string;
}

/** The words of a list are texts that were found, so that they are not shown. */
const toKind = (list: string, { type, name }: { readonly [member: string]: Json }): string =>
  findText(name) ?? findText(type) ?? list;

/**
 * The findings of all policies on which the guardrail acts; new policies are read like the present ones: a list of
 * findings with an action each. https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_GuardrailAssessment.html
 */
export const findings = (answer: AnswerReader): readonly Finding[] =>
  answer.list('assessments').flatMap(({ json }) =>
    Object.entries(json).flatMap(([policy, lists]) =>
      Object.entries(findObject(lists) ?? {}).flatMap(([list, items]) =>
        toObjects(items).flatMap((item): readonly Finding[] => {
          const action = findText(item.action);
          if (action === undefined || action === 'NONE') return [];
          const match = findText(item.match);
          return [{ policy, kind: toKind(list, item), action, ...(match !== undefined && { match }) }];
        }),
      ),
    ),
  );
