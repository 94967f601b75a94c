import fc from 'fast-check';
import type { BoundValue, ReasoningPart } from '../../../../../schema/conversation/conversation.ts';
import { said, sometimes, text } from './basics.ts';

/** Created by the target of the laws, or by another one. */
const bound = (kind: BoundValue['kind']): fc.Arbitrary<BoundValue> =>
  fc.record({ scope: fc.constantFrom('here', 'here', 'there'), kind: fc.constant(kind), value: said });

const summary: fc.Arbitrary<readonly string[]> = fc.array(said, { minLength: 1, maxLength: 2 });

/** Reasoning in plain text, signed, redacted, as a summary, encrypted with its summary, or as a thought before its part. */
export const reasoningPart: fc.Arbitrary<ReasoningPart> = fc.oneof(
  said.map((value): ReasoningPart => ({ kind: 'reasoning', text: value })),
  fc
    .tuple(text, bound('signature'))
    .map(([value, by]): ReasoningPart => ({ kind: 'reasoning', text: value, bound: by })),
  fc
    .tuple(bound('encrypted'), sometimes({ summary }))
    .map(([by, more]): ReasoningPart => ({ kind: 'reasoning', text: '', bound: by, ...more })),
  summary.map((value): ReasoningPart => ({ kind: 'reasoning', text: '', summary: value })),
  fc.tuple(text, bound('thought')).map(([value, by]): ReasoningPart => ({ kind: 'reasoning', text: value, bound: by })),
);
