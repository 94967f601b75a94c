import { readBound } from '../../../../schema/conversation/bound.ts';
import type { BoundValue, Part, ReasoningPart } from '../../../../schema/conversation/conversation.ts';

/**
 * Google may sign an empty text at the end: https://ai.google.dev/gemini-api/docs/thought-signatures
 * What is said here is the last block of a message to agents such as Claude Code, so that such a value is no block after
 * the text but the text's own member `signature`, in a stream that of its last `text_delta`.
 */
type Said = Readonly<Partial<Pick<ReasoningPart, 'text' | 'bound'>>> & { readonly summary?: unknown };

/** The value of reasoning that says nothing and belongs to what follows it. */
export const silentThought = ({ text = '', summary, bound }: Said): BoundValue | undefined =>
  text === '' && summary === undefined && bound?.kind === 'thought' ? bound : undefined;

export interface ClosedParts {
  readonly parts: readonly Part[];
  /** The value that belongs to the last of the parts, a text. */
  readonly closing?: BoundValue;
}

/** Takes off the last part, if it is a silent thought right after a text. */
export const withoutClosing = (parts: readonly Part[]): ClosedParts => {
  const [before, last] = parts.slice(-2);
  const closing = last?.kind === 'reasoning' ? silentThought(last) : undefined;
  return closing !== undefined && before?.kind === 'text' && before.text !== ''
    ? { parts: parts.slice(0, -1), closing }
    : { parts };
};

/** The part that the member `signature` of a text stands for. */
export const decodeClosing = (signature: string | undefined, scope: string): readonly ReasoningPart[] =>
  signature === undefined || signature === ''
    ? []
    : [{ kind: 'reasoning', text: '', bound: readBound(signature, 'thought', scope) }];
