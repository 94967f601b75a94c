import { basename } from 'node:path';
import type { Diagnostic } from '../../schema/errors/diagnostic.ts';
import { hashText } from '../../schema/json/canonical.ts';
import { planFileName } from '../../schema/plan/plan-file-name.ts';
import type { UnusableSecret } from '../engine/link-error.ts';
import type { Refusal } from './generation.ts';
import type { GenerationEntry } from './generation-entry.ts';
import { type LinkFile, type Loaded, loadFile } from './load-file.ts';
import type { PlanSource, SourceFile, UnreadableFile } from './plan-source.ts';

/** A result of a reload for one file that is new, changed, or was refused. */
export interface Finding {
  readonly source: SourceFile | UnreadableFile;
  readonly diagnostics: readonly Diagnostic[];
  /** Why it was refused, in one sentence. Absent if it is in service. */
  readonly reason?: string;
  /** The unusable secrets, if they are the whole reason. */
  readonly unusable?: readonly UnusableSecret[];
  /** The virtual models that it concerns, if not the file itself. */
  readonly models?: readonly string[];
}

export interface LoadFilesOptions extends LinkFile {
  readonly source: PlanSource;
  readonly before: ReadonlyMap<string, GenerationEntry>;
  /** Whether unchanged files are linked again too, because secrets may have changed. */
  readonly relink: boolean;
}

export interface LoadedFiles {
  readonly entries: ReadonlyMap<string, GenerationEntry>;
  readonly refused: readonly Refusal[];
  readonly reported: readonly Finding[];
}

const isUnchanged = (file: SourceFile | UnreadableFile, entry: GenerationEntry | undefined): entry is GenerationEntry =>
  entry !== undefined && 'text' in file && entry.file === file.file && entry.source === hashText(file.text);

/**
 * Returns the entry that a file had before. For a file that replaces a removed one with another extension, returns that one's
 * entry.
 */
const entriesBefore = (
  before: ReadonlyMap<string, GenerationEntry>,
  files: readonly Pick<SourceFile, 'file'>[],
): ((file: Pick<SourceFile, 'file' | 'name'>) => GenerationEntry | undefined) => {
  const byFile = new Map(Array.from(before.values(), (entry) => [entry.file, entry]));
  const here = new Set(files.map(({ file }) => file));
  return ({ file, name }) => {
    const namesake = before.get(name);
    return byFile.get(file) ?? (namesake === undefined || here.has(namesake.file) ? undefined : namesake);
  };
};

/** Returns the name that callers send as `x-gw-config`. */
const toName = ({ served }: GenerationEntry): string => planFileName(served.linked.plan.name);

const takenReason = (entry: GenerationEntry, entries: ReadonlyMap<string, GenerationEntry>): string => {
  const first = basename(entries.get(toName(entry))?.file ?? '');
  return `The plan "${toName(entry)}" already comes from ${first}. Give one of them another name.`;
};

interface LoadedSource {
  readonly source: SourceFile | UnreadableFile;
  /** The plan of this file that is served. Absent for a new file. */
  readonly last: GenerationEntry | undefined;
  readonly isKept: boolean;
  readonly loaded: Loaded;
}

/**
 * Files that keep their plan's name come first, then other files that are served, and new ones last, so that what is served
 * stays.
 */
const rank = ({ last, loaded }: LoadedSource): number => {
  if (last === undefined) return 2;
  return 'reason' in loaded || toName(loaded.entry) === toName(last) ? 0 : 1;
};

/**
 * Reads the source. A plan is served under the name in its config, or else its file's name. A file that cannot be served is
 * refused, and its last good plan stays in service. Unchanged files keep their plan, and a new file cannot take a name that is
 * served. Throws if the folder itself cannot be read.
 */
export const loadFiles = async (options: LoadFilesOptions): Promise<LoadedFiles> => {
  const entries = new Map<string, GenerationEntry>();
  const refused: Refusal[] = [];
  const reported: Finding[] = [];
  const files = await options.source.read();
  const before = entriesBefore(options.before, files);
  const take = (entry: GenerationEntry | undefined): boolean => {
    if (entry === undefined || entries.has(toName(entry))) return false;
    entries.set(toName(entry), entry);
    return true;
  };
  const refuse = (finding: Finding & { readonly reason: string }, last: GenerationEntry | undefined): void => {
    reported.push(finding);
    refused.push({ file: finding.source.file, reason: finding.reason });
    take(last);
  };
  const sources: LoadedSource[] = [];
  for (const source of files) {
    const last = before(source);
    const isKept = !options.relink && isUnchanged(source, last);
    const loaded: Loaded = isKept
      ? { diagnostics: [], entry: last }
      : await loadFile(source, options.source.toPlan, options);
    sources.push({ source, last, isKept, loaded });
  }
  for (const { source, last, isKept, loaded } of sources.toSorted((a, b) => rank(a) - rank(b))) {
    if ('reason' in loaded) refuse({ source, ...loaded }, last);
    else if (take(loaded.entry)) {
      if (!isKept) reported.push({ source, diagnostics: loaded.diagnostics });
    } else {
      refuse({ source, diagnostics: [], reason: takenReason(loaded.entry, entries) }, last);
      if (!isKept) loaded.entry.served.linked.retire();
    }
  }
  return { entries, refused, reported };
};
