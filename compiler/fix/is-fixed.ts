import type { Diagnostic } from '../../schema/errors/diagnostic.ts';
import type { Fix } from '../../schema/errors/fix.ts';
import type { RoutingPlan } from '../../schema/plan/plan.ts';

/** The compiler's result for a text. */
export interface FixedText {
  /** The part of its plan that determines whether two plans are the same. */
  readonly plan?: Pick<RoutingPlan, 'hash'>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Returns a key by which a finding is recognised after a change above it. */
export const diagnosticKey = ({ code, message }: Diagnostic): string => `${code} ${message}`;

const counts = (diagnostics: readonly Diagnostic[]): ReadonlyMap<string, number> => {
  const found = new Map<string, number>();
  for (const each of diagnostics) found.set(diagnosticKey(each), (found.get(diagnosticKey(each)) ?? 0) + 1);
  return found;
};

/**
 * Whether a safe fix is really safe: the plan stays the same, the finding disappears, and no new one appears. Without a plan,
 * only syntax is corrected, because a setting may have no effect only because another one is misspelt.
 */
const isSafe = (before: FixedText, after: FixedText, fixed: Diagnostic): boolean => {
  const [old, now] = [counts(before.diagnostics), counts(after.diagnostics)];
  // Findings after the place of a syntax error could not be found before.
  if (fixed.code === 'syntax-error') {
    const next = after.diagnostics.find(({ code }) => code === fixed.code);
    return next === undefined || next.span.offset > fixed.span.offset;
  }
  return (
    before.plan !== undefined &&
    before.plan.hash === after.plan?.hash &&
    (now.get(diagnosticKey(fixed)) ?? 0) < (old.get(diagnosticKey(fixed)) ?? 0) &&
    [...now].every(([key, count]) => count <= (old.get(key) ?? 0))
  );
};

/** Whether a guess was right, which means that its finding disappears. */
const isBetter = (before: FixedText, after: FixedText, fixed: Diagnostic): boolean =>
  (counts(after.diagnostics).get(diagnosticKey(fixed)) ?? 0) <
  (counts(before.diagnostics).get(diagnosticKey(fixed)) ?? 0);

/** Whether a change corrected a finding. A safe change must change nothing else; a guess only has to be right. */
export const isFixed = (
  { before, after }: { readonly before: FixedText; readonly after: FixedText },
  fixed: Diagnostic,
  kind: Fix['kind'],
): boolean => (kind === 'safe' ? isSafe : isBetter)(before, after, fixed);
