import type { CheckInput } from '../../sdk/guardrail/guardrail.ts';

/**
 * Joins the texts that are actual content, without names and undocumented members. Checks that count words, or look at how a text
 * is written, would otherwise see other words whenever a provider adds a member.
 */
export const saidText = ({ text, spans }: Pick<CheckInput, 'text' | 'spans'>): string =>
  spans.some(({ kind }) => kind === 'other')
    ? spans.flatMap((span) => (span.kind === 'other' ? [] : [span.text])).join('\n')
    : text;
