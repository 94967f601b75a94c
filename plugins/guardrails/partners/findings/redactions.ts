import type { Replacement } from '../../../sdk/guardrail/guardrail.ts';

/** Replacements that do not overlap: of parts that do, the first is kept and made as long as all of them together. */
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
