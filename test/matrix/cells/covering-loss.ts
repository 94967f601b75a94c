import type { Loss } from '../../../plugins/sdk/dialect.ts';
import type { Difference } from './facets.ts';

/** The members of a conversation or an answer that a facet is about. What is not here must never differ. */
const membersOf: Readonly<Record<Difference['side'], Readonly<Record<string, readonly string[]>>>> = {
  request: {
    system: ['system', 'turns.role'],
    images: ['turns.parts.media'],
    documents: ['turns.parts.media'],
    tools: ['tools', 'tools.parameters'],
    schema: ['answerFormat'],
    // A field that only one dialect has may say how to reason.
    reasoning: ['reasoning', 'extensions'],
    maxTokens: ['sampling.maxTokens'],
  },
  answer: { reasoning: ['choices.parts'], refusal: ['choices.finish'] },
};

/** `turns[0].parts[1].media` → `turns.parts.media` */
const memberOf = (name: string): string => name.replace(/\[[\d*]+\]/g, '');

const isNamed = (member: string, dropped: readonly string[]): boolean =>
  dropped.map(memberOf).some((name) => `${name}.`.startsWith(`${member}.`) || member.startsWith(`${name}.`));

/** The declared loss that a difference is, which a request's client must have been told of; undefined: it is a fault. */
export const coveringLoss = (
  { side, facet }: Difference,
  declared: readonly Pick<Loss, 'member'>[],
  dropped: readonly string[],
): string | undefined =>
  membersOf[side][facet]?.find(
    (member) => declared.some((loss) => loss.member === member) && (side === 'answer' || isNamed(member, dropped)),
  );
