import type { Diagnostic } from '../../schema/errors/diagnostic.ts';
import type { Fix } from '../../schema/errors/fix.ts';
import type { RoutingPlan } from '../../schema/plan/plan.ts';

/** The compiler's result for a text. */
export interface MendedText {
  /** As much of its plan as decides whether two of them are the same. */
  readonly plan?: Pick<RoutingPlan, 'hash'>;
  readonly diagnostics: readonly Diagnostic[];
}

/** A finding as it is known again after a change above it. */
export const diagnosticKey = ({ code, message }: Diagnostic): string => `${code} ${message}`;

const counts = (diagnostics: readonly Diagnostic[]): ReadonlyMap<string, number> => {
  const found = new Map<string, number>();
  for (const each of diagnostics) found.set(diagnosticKey(each), (found.get(diagnosticKey(each)) ?? 0) + 1);
  return found;
};

/**
 * Whether a fix keeps its promise: the plan is the same, the finding is gone, and none is new. Where there is no plan, only
 * syntax is mended: a setting may have no effect for the sole reason that another one is misspelt.
 */
const isSafe = (before: MendedText, after: MendedText, fixed: Diagnostic): boolean => {
  const [old, now] = [counts(before.diagnostics), counts(after.diagnostics)];
  // What follows the place of a syntax error could not be found before.
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

/** Whether a guess was right: its finding is gone. */
const isBetter = (before: MendedText, after: MendedText, fixed: Diagnostic): boolean =>
  (counts(after.diagnostics).get(diagnosticKey(fixed)) ?? 0) <
  (counts(before.diagnostics).get(diagnosticKey(fixed)) ?? 0);

/** Whether a change mended a finding: by a safe one nothing else may change, and a guess only has to be right. */
export const isMended = (
  { before, after }: { readonly before: MendedText; readonly after: MendedText },
  fixed: Diagnostic,
  kind: Fix['kind'],
): boolean => (kind === 'safe' ? isSafe : isBetter)(before, after, fixed);
