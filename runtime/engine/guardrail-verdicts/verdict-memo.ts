import type { Check, Verdict } from '../../../plugins/sdk/guardrail/guardrail.ts';
import type { CheckedPart } from './checked-part.ts';

interface Known {
  readonly part: Pick<CheckedPart, 'text' | 'spans'>;
  readonly verdict: Verdict;
}

/** The maximum number of texts remembered for one check: one for each of the first leaves that transform the request anew. */
const maxTexts = 16;

const isSame = (one: Known['part'], other: Known['part']): boolean =>
  one.text === other.text &&
  one.spans.length === other.spans.length &&
  one.spans.every(({ at, text, kind }, index) => {
    const span = other.spans[index];
    return span !== undefined && span.at === at && span.text === text && span.kind === kind;
  });

/**
 * Remembers the verdicts on one request's own texts, so that a fallback over targets with the same check runs it once. A verdict
 * is remembered only if the check used nothing that may differ between targets.
 */
export class VerdictMemo {
  readonly #known = new Map<Check, Known[]>();

  find(check: Check, part: CheckedPart): Verdict | undefined {
    return this.#known.get(check)?.find((known) => isSame(known.part, part))?.verdict;
  }

  keep(check: Check, { text, spans }: CheckedPart, verdict: Verdict): void {
    const known = this.#known.get(check) ?? [];
    this.#known.set(check, known);
    if (known.length < maxTexts) known.push({ part: { text, spans }, verdict });
  }
}
