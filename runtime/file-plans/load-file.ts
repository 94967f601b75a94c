import { whenLoaded } from '../../plugins/sdk/loading/when-loaded.ts';
import type { Diagnostic } from '../../schema/errors/diagnostic.ts';
import { hashText } from '../../schema/json/canonical.ts';
import type { RoutingPlan } from '../../schema/plan/plan.ts';
import { errorText } from '../../schema/text/error-text.ts';
import type { LinkedPlan } from '../engine/link.ts';
import { LinkError, type UnusableSecret } from '../engine/link-error.ts';
import type { GenerationEntry } from './generation-entry.ts';
import type { PlanSource, SourceFile, UnreadableFile } from './plan-source.ts';
import { toServedPlan } from './served-plan.ts';

/** How the plan of a file is put into service. */
export interface LinkFile {
  readonly link: (plan: RoutingPlan) => LinkedPlan;
  /** Returns why a plan that could be linked may not serve, in one sentence. Undefined if it may. */
  readonly refuse?: (plan: RoutingPlan) => string | undefined;
}

const firstReason = (diagnostics: readonly Diagnostic[]): string => {
  const first = diagnostics.find(({ severity }) => severity === 'error');
  if (first === undefined) return 'The compiler produced no plan.';
  return `${first.code} at ${first.span.line}:${first.span.column}: ${first.message}`;
};

export type Loaded =
  | { readonly diagnostics: readonly Diagnostic[]; readonly entry: GenerationEntry }
  | {
      readonly diagnostics: readonly Diagnostic[];
      readonly reason: string;
      /** The unusable secrets, if they are the whole reason. */
      readonly unusable?: readonly UnusableSecret[];
    };

/** Returns the compiled and linked plan, or why there is none. */
export const loadFile = async (
  file: SourceFile | UnreadableFile,
  toPlan: PlanSource['toPlan'],
  { link, refuse }: LinkFile,
): Promise<Loaded> => {
  if ('unreadable' in file) return { diagnostics: [], reason: file.unreadable };
  let diagnostics: readonly Diagnostic[] = [];
  try {
    const result = await toPlan(file);
    diagnostics = result.diagnostics;
    const { plan } = result;
    if (plan === undefined) return { diagnostics, reason: firstReason(diagnostics) };
    const refused = refuse?.(plan);
    if (refused !== undefined) return { diagnostics, reason: refused };
    const served = toServedPlan(await whenLoaded(() => link(plan)), { origin: 'file', secrets: [] });
    return { diagnostics, entry: { source: hashText(file.text), file: file.file, served } };
  } catch (error) {
    if (!(error instanceof LinkError)) return { diagnostics, reason: errorText(error) };
    const { problems, unusable } = error;
    const reason = problems.join(' ');
    return unusable.length < problems.length || unusable.length === 0
      ? { diagnostics, reason }
      : { diagnostics, reason, unusable };
  }
};
