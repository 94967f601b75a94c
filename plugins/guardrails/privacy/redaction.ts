import type { CheckInput, CheckServices, Replacement, Verdict } from '../../sdk/guardrail/guardrail.ts';
import type { Detector } from './search/finding.ts';

/** The action that is taken on findings. */
export type FindingAction = 'block' | 'redact' | 'redact-reversibly';

/** A finding with its text, in one of the judged pieces. */
interface Found {
  readonly kind: string;
  readonly text: string;
  readonly span: number;
  readonly from: number;
  readonly to: number;
}

interface RedactionRules {
  /** The plural name of what the check looks for: `personal data`. */
  readonly subject: string;
  readonly action: FindingAction;
  /** Whether the text passes if something is found. */
  readonly not: boolean;
  readonly detect: Detector;
}

const foundIn = ({ spans }: CheckInput, detect: Detector): readonly Found[] =>
  spans.flatMap(({ text }, span) =>
    detect(text).map(({ kind, from, to }) => ({ kind, text: text.slice(from, to), span, from, to })),
  );

const toCounts = (found: readonly Found[]): { readonly [kind: string]: number } => {
  const counts: Record<string, number> = {};
  for (const { kind } of found) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
};

/** `NATIONAL_ID` for `national-id`. */
const toLabel = (kind: string): string => kind.toUpperCase().replaceAll('-', '_');

const inWords = (subject: string, found: readonly Found[]): string =>
  found.length === 0
    ? `The text has no ${subject}`
    : `The text has ${subject} in ${found.length} ${found.length === 1 ? 'place' : 'places'}`;

type Redacted = Pick<Verdict, 'replace' | 'restore'>;

/** The maximum number of findings that are replaced individually and restored. In a text with more, whole pieces are replaced. */
const max = 10_000;

const withoutPieces = (found: readonly Found[], { spans }: CheckInput): Redacted => ({
  replace: [...new Set(found.map(({ span }) => span))].map((span) => ({
    span,
    from: 0,
    to: spans[span]?.text.length ?? 0,
    with: '[REMOVED]',
  })),
});

const withLabels = (found: readonly Found[]): Redacted => ({
  replace: found.map(({ kind, span, from, to }): Replacement => ({ span, from, to, with: `[${toLabel(kind)}]` })),
});

const withPlaceholders = (
  found: readonly Found[],
  { tenant }: CheckInput,
  { placeholder }: Pick<CheckServices, 'placeholder'>,
): Redacted => {
  const named = found.map((each) => ({
    ...each,
    name: placeholder(tenant, { kind: toLabel(each.kind), text: each.text }),
  }));
  return {
    replace: named.map(({ span, from, to, name }) => ({ span, from, to, with: name })),
    restore: Object.fromEntries(named.map(({ name, text }) => [name, text])),
  };
};

const blocked = (subject: string, found: readonly Found[], not: boolean): Verdict => {
  const pass = (found.length === 0) !== not;
  const judged = pass ? 'as required' : 'which is not allowed';
  return {
    pass,
    data: { explanation: `${inWords(subject, found)}, ${judged}.`, action: 'block', found: toCounts(found) },
  };
};

/**
 * Creates a check that blocks or replaces what a detector finds. Its verdicts count the findings by kind and never show them.
 * Only requests are redacted reversibly: an answer is for its client, who would receive the original values again.
 */
export const redactionCheck =
  ({ subject, action, not, detect }: RedactionRules, services: Pick<CheckServices, 'placeholder'>) =>
  (input: CheckInput): Verdict => {
    const found = foundIn(input, detect);
    if (action === 'block') return blocked(subject, found, not);
    const replaced = found.length === 0 ? '' : found.length === 1 ? ', which was replaced' : ', which were replaced';
    const data = { explanation: `${inWords(subject, found)}${replaced}.`, action, found: toCounts(found) };
    if (found.length === 0) return { pass: true, data };
    if (found.length > max) return { pass: true, data, ...withoutPieces(found, input) };
    const isReversible = action === 'redact-reversibly' && input.phase === 'input';
    return { pass: true, data, ...(isReversible ? withPlaceholders(found, input, services) : withLabels(found)) };
  };
