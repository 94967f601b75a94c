import { readBound } from '../../../../schema/conversation/bound.ts';
import type { BoundValue, Part, ReasoningPart } from '../../../../schema/conversation/conversation.ts';

/**
 * Google may sign an empty text at the end: https://ai.google.dev/gemini-api/docs/thought-signatures Agents such as Claude Code
 * take the last block of a message as what the model said. So such a value is not written as a block after the text but as the
 * text's own member `signature`, in a stream as that of its last `text_delta`.
 */
type Said = Readonly<Partial<Pick<ReasoningPart, 'text' | 'bound'>>> & { readonly summary?: unknown };

/** Returns the value of reasoning that has no words and belongs to what follows it. */
export const silentThought = ({ text = '', summary, bound }: Said): BoundValue | undefined =>
  text === '' && summary === undefined && bound?.kind === 'thought' ? bound : undefined;

export interface ClosedParts {
  readonly parts: readonly Part[];
  /** The value that belongs to the last part, which is a text. */
  readonly closing?: BoundValue;
}

/** Removes the last part, if it is a silent thought directly after a text. */
export const withoutClosing = (parts: readonly Part[]): ClosedParts => {
  const [before, last] = parts.slice(-2);
  const closing = last?.kind === 'reasoning' ? silentThought(last) : undefined;
  return closing !== undefined && before?.kind === 'text' && before.text !== ''
    ? { parts: parts.slice(0, -1), closing }
    : { parts };
};

/** Returns the part that the member `signature` of a text stands for. */
export const decodeClosing = (signature: string | undefined, scope: string): readonly ReasoningPart[] =>
  signature === undefined || signature === ''
    ? []
    : [{ kind: 'reasoning', text: '', bound: readBound(signature, 'thought', scope) }];
