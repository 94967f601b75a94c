import type { CheckInput } from '../../sdk/guardrail/guardrail.ts';

/**
 * Joins the texts that are said, without what stands beside them: names, and members that no format documents. What
 * counts words, or looks at how a text is written, would find other words where a provider adds a member.
 */
export const saidText = ({ text, spans }: Pick<CheckInput, 'text' | 'spans'>): string =>
  spans.some(({ kind }) => kind === 'other')
    ? spans.flatMap((span) => (span.kind === 'other' ? [] : [span.text])).join('\n')
    : text;
