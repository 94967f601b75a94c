import { hashText } from '../../schema/canonical.ts';
import type { Diagnostic } from '../../schema/diagnostic.ts';
import type { RoutingPlan } from '../../schema/plan.ts';
import type { LinkedPlan } from '../link/link.ts';
import { LinkError } from '../link/link-error.ts';
import { toServedPlan } from '../server/served-plan.ts';
import type { GenerationEntry, Refusal } from './generation.ts';
import type { PlanSource, SourceFile } from './plan-source.ts';

/** What a reload found out about one file that is new, changed, or was refused. */
export interface Finding {
  readonly source: SourceFile;
  readonly diagnostics: readonly Diagnostic[];
  /** Why it was refused, in one sentence; absent: it serves. */
  readonly reason?: string;
}

export interface LoadFilesOptions {
  readonly source: PlanSource;
  readonly link: (plan: RoutingPlan) => LinkedPlan;
  readonly before: ReadonlyMap<string, GenerationEntry>;
  /** Link also what has not changed: secrets may have. */
  readonly relink: boolean;
}

export interface LoadedFiles {
  readonly entries: ReadonlyMap<string, GenerationEntry>;
  readonly refused: readonly Refusal[];
  readonly findings: readonly Finding[];
}

const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const firstReason = (diagnostics: readonly Diagnostic[]): string => {
  const first = diagnostics.find(({ severity }) => severity === 'error');
  if (first === undefined) return 'It gave no plan.';
  return `${first.code} at ${first.span.line}:${first.span.column}: ${first.message}`;
};

/** Compiled and linked, or why not. */
const loadFile = async (
  file: SourceFile,
  { source, link }: LoadFilesOptions,
): Promise<Finding & { readonly entry?: GenerationEntry }> => {
  let diagnostics: readonly Diagnostic[] = [];
  try {
    const result = await source.toPlan(file);
    diagnostics = result.diagnostics;
    if (result.plan === undefined) return { source: file, diagnostics, reason: firstReason(diagnostics) };
    const served = toServedPlan(link(result.plan));
    return { source: file, diagnostics, entry: { source: hashText(file.text), file: file.file, served } };
  } catch (error) {
    const reason = error instanceof LinkError ? error.problems.join(' ') : errorText(error);
    return { source: file, diagnostics, reason };
  }
};

const isUnchanged = (file: SourceFile, entry: GenerationEntry | undefined): entry is GenerationEntry =>
  entry !== undefined && entry.file === file.file && entry.source === hashText(file.text);

/**
 * Reads the source. A file that cannot serve is refused, and the plan that had its name before goes on serving; files
 * that have not changed keep the plan they have. Throws where the folder itself cannot be read.
 */
export const loadFiles = async (options: LoadFilesOptions): Promise<LoadedFiles> => {
  const entries = new Map<string, GenerationEntry>();
  const refused: Refusal[] = [];
  const findings: Finding[] = [];
  for (const file of await options.source.read()) {
    const last = options.before.get(file.name);
    if (!options.relink && isUnchanged(file, last)) {
      entries.set(file.name, last);
      continue;
    }
    const { entry, ...finding } = entries.has(file.name)
      ? { source: file, diagnostics: [], reason: `Another file already gives the plan "${file.name}".` }
      : await loadFile(file, options);
    findings.push(finding);
    if (finding.reason !== undefined) refused.push({ file: file.file, reason: finding.reason });
    const serves = entry ?? last;
    if (serves !== undefined && !entries.has(file.name)) entries.set(file.name, serves);
  }
  return { entries, refused, findings };
};
