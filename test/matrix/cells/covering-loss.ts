import type { Loss } from '../../../plugins/sdk/dialect/dialect.ts';
import type { Difference } from './facets.ts';

/** The members of a conversation or answer that each facet depends on. Facets that are not listed must never differ. */
const membersBySide: Readonly<Record<Difference['side'], Readonly<Record<string, readonly string[]>>>> = {
  request: {
    system: ['system', 'turns.role'],
    images: ['turns.parts.media'],
    documents: ['turns.parts.media'],
    tools: ['tools', 'tools.parameters'],
    schema: ['answerFormat'],
    // A field that only one dialect has may configure the reasoning.
    reasoning: ['reasoning', 'reasoning_effort', 'extensions'],
    maxTokens: ['sampling.maxTokens'],
    proofs: ['turns.parts.reasoning', 'turns.parts.bound'],
  },
  answer: {
    reasoning: ['choices.parts'],
    refusal: ['choices.finish'],
    cached: ['usage.cacheRead'],
    'reasoning tokens': ['usage.reasoning'],
  },
};

/** `turns[0].parts[1].media` → `turns.parts.media` */
const toMember = (name: string): string => name.replace(/\[[\d*]+\]/g, '');

const isNamed = (member: string, dropped: readonly string[]): boolean =>
  dropped.map(toMember).some((name) => `${name}.`.startsWith(`${member}.`) || member.startsWith(`${name}.`));

/** The declared losses of requests and of answers. */
export interface Declared {
  readonly request: readonly Pick<Loss, 'member'>[];
  readonly answer: readonly Pick<Loss, 'member'>[];
}

/**
 * Returns the declared loss that covers a difference, which must have been reported to the request's client, or undefined if
 * there is none.
 */
export const coveringLoss = (
  { side, facet }: Difference,
  declared: Declared,
  dropped: readonly string[],
): string | undefined => {
  const isDeclared = (of: Difference['side'], member: string): boolean =>
    declared[of].some((loss) => loss.member === member);
  const own = membersBySide[side][facet]?.find(
    (member) => isDeclared(side, member) && (side === 'answer' || isNamed(member, dropped)),
  );
  // What the client did not receive in an answer cannot come back in the next request.
  return own ?? (facet === 'proofs' && isDeclared('answer', 'choices.parts') ? 'choices.parts' : undefined);
};
