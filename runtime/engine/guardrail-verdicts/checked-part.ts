import type { Replacement } from '../../../plugins/sdk/guardrail/guardrail.ts';
import { replacedTexts } from '../../../plugins/sdk/texts/replaced-texts.ts';
import { withTexts } from '../../../plugins/sdk/texts/with-texts.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { CheckPhase } from '../../../schema/trail/trail.ts';
import { NotChecked } from './check-error.ts';
import { type CheckedText, toLines } from './check-text.ts';

/** A request or an answer as checks judge it, or the part of a stream that is currently judged. */
export interface CheckedPart extends CheckedText {
  /** The request's body, with overrides applied. */
  readonly params: JsonObject;
  /** The model that is called, if the path names it. Otherwise the body does. */
  readonly pathModel?: string;
  readonly answer?: JsonObject;
  /** Reads the texts of a body that a check changed. Absent for a part of a stream, of which only the pieces can be changed. */
  readonly read?: (body: JsonObject) => CheckedText | undefined;
  /** Why a check may not change anything here, as a sentence. */
  readonly unchangeable?: string;
}

/** A change that a check requests. */
export type Change =
  /** In the pieces that are judged and, counting on after these, the earlier ones. */
  | { readonly kind: 'replace'; readonly replacements: readonly Replacement[] }
  | { readonly kind: 'body'; readonly body: JsonObject };

/** Returns the body that a phase judges: the request, or the answer. Undefined for a part of a stream. */
const findBody = ({ params, answer, read }: CheckedPart, phase: CheckPhase): JsonObject | undefined => {
  if (read === undefined) return undefined;
  return phase === 'input' ? params : answer;
};

const withBody = (
  part: CheckedPart,
  body: JsonObject,
  { phase, text }: { phase: CheckPhase; text: CheckedText },
): CheckedPart => (phase === 'input' ? { ...part, ...text, params: body } : { ...part, ...text, answer: body });

/** Returns the part with a change applied. Throws an `Error` that says why the change cannot be applied. */
export const changedPart = (part: CheckedPart, change: Change, phase: CheckPhase): CheckedPart => {
  if (part.unchangeable !== undefined) throw new NotChecked(part.unchangeable);
  const body = findBody(part, phase);
  if (change.kind === 'body') {
    const text = body === undefined ? undefined : part.read?.(change.body);
    if (text === undefined)
      throw new TypeError('The new body has no text in the dialect of the client, or is for a part of a stream.');
    return withBody(part, change.body, { phase, text });
  }
  const spans = [...part.spans, ...(part.earlier?.() ?? [])];
  const { replacements } = change;
  if (body === undefined) {
    const texts = replacedTexts(spans, replacements);
    return { ...part, ...toLines(spans.map((span, index) => ({ ...span, text: texts[index] ?? '' }))) };
  }
  const written = withTexts(body, { spans, replacements, phase });
  return withBody(part, written, { phase, text: part.read?.(written) ?? toLines([]) });
};
