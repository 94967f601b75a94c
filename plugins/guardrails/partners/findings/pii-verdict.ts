import type { Replacement, Verdict } from '../../../sdk/guardrail/guardrail.ts';

/** Returns replacements that do not overlap. Overlapping ones are merged into the first, which then covers all of them. */
export const redactions = (found: readonly Replacement[]): readonly Replacement[] => {
  const kept: Replacement[] = [];
  const inOrder = [...found].sort((a, b) => a.span - b.span || a.from - b.from || b.to - a.to);
  for (const each of inOrder) {
    const last = kept.at(-1);
    if (last === undefined || last.span !== each.span || last.to <= each.from) kept.push(each);
    else if (each.to > last.to) kept[kept.length - 1] = { ...last, to: each.to };
  }
  return kept;
};

export interface PiiFindings {
  readonly vendor: string;
  /** How often each kind was found. Never what was found. */
  readonly counts: { readonly [kind: string]: number };
  readonly redact: boolean;
  readonly found: readonly Replacement[];
}

/** Fails if something is found, unless it is replaced. */
export const piiVerdict = ({ vendor, counts, redact, found }: PiiFindings): Verdict => {
  const kinds = Object.keys(counts);
  if (kinds.length === 0) return { pass: true, data: { explanation: `${vendor} found nothing.`, counts } };
  const explanation = `${vendor} found ${kinds.join(', ')}${redact ? ', which was replaced' : ''}.`;
  return { pass: redact, data: { explanation, counts }, ...(redact && { replace: redactions(found) }) };
};
