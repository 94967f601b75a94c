import type { LackedContent, ReasoningMember } from '../../../sdk/dialect/dialect.ts';
import type { Lost } from './lost.ts';

/** The losses of a request so far, the scope of its target, and the content that the target does not accept. */
export interface EncodeContext {
  readonly lost: Lost;
  /** The scope of the bound values that the target made. */
  readonly scope: string;
  /** Content that the target does not accept. */
  readonly lacks?: ReadonlySet<LackedContent> | undefined;
  /** Whether the target loads files that are addresses. */
  readonly loadsFiles?: boolean | undefined;
  /** The member in which the target takes back reasoning as a text. */
  readonly reasoningMember?: ReasoningMember | undefined;
}
