import path from 'node:path';
import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';
import type { JsonPointer } from '../../../schema/json/pointer.ts';
import { createRenderer } from '../../diagnostic-text/render.ts';
import { parseConfig } from '../../parse/parse-config.ts';
import type { CommandServices } from '../command-line/services.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { readText } from '../files/read-text.ts';
import { Draft, type Loss } from './draft/draft.ts';
import { nearestPlace } from './draft/nearest-place.ts';
import { namedVariables } from './draft/references.ts';
import { removeRefusedRecords } from './remove-refused-records.ts';
import { removeRejected } from './remove-rejected.ts';
import { findOtherKind } from './source-kinds.ts';
import type { ImportSource } from './sources/import-source.ts';

/** A loss with its place in a file. */
export interface LocatedLoss extends Omit<Loss, 'pointer'> {
  readonly file: string;
  readonly line: number;
  readonly place: JsonPointer;
}

/** A secret with its place in a file. */
interface LocatedSecret {
  readonly file: string;
  readonly line: number;
  readonly variable: string;
}

/** The draft of all files, and the places of its losses and secrets in them. */
interface Made {
  readonly draft: Draft;
  readonly losses: readonly LocatedLoss[];
  readonly secrets: readonly LocatedSecret[];
  /** How many targets of the files are left out. */
  readonly targets: number;
  /** The names of configs that are left out. */
  readonly lostConfigs: readonly string[];
}

interface Sources {
  readonly kind: string;
  readonly files: readonly string[];
  readonly convert: ImportSource;
}

interface SourceFile {
  readonly file: string;
  readonly value: JsonObject;
  readonly lineOf: (pointer: JsonPointer) => number;
}

/** Reads one file. If it cannot be read, prints the reason and returns undefined. Throws a `UsageError`. */
const readFile = async (
  file: string,
  { kind }: Sources,
  { io }: Pick<CommandServices, 'io'>,
): Promise<SourceFile | undefined> => {
  const text = await readText(io, file);
  const { document, reporter } = parseConfig(text, { file, isFile: true });
  if (document === undefined || reporter.failed) {
    const render = createRenderer({ text, colour: io.out.colour });
    for (const each of reporter.diagnostics()) io.out.write(`${render(each)}\n`);
    return undefined;
  }
  const { value } = document;
  if (!isJsonObject(value))
    throw new UsageError(`${file} contains no object.`, `Name a configuration file of ${kind}.`);
  const other = findOtherKind(value, kind);
  if (other !== undefined)
    throw new UsageError(
      `${file} looks like a file of ${other.name}.`,
      `Import it as one: gw import ${other.kind} ${file}`,
    );
  return { file, value, lineOf: (pointer) => document.readSpan(pointer, 'key').line };
};

/** Sorts the losses by file and line, with those of checks before the others. */
const inOrder = (losses: readonly LocatedLoss[], files: readonly string[]): readonly LocatedLoss[] =>
  losses.toSorted(
    (one, other) =>
      Number(other.unchecked ?? false) - Number(one.unchecked ?? false) ||
      files.indexOf(one.file) - files.indexOf(other.file) ||
      one.line - other.line,
  );

/** Adds the contents of one file to a draft. */
type Add = (read: SourceFile, draft: Draft) => void;

/**
 * Returns the names that new variables must not have: those that the files name, and those that the other gateway reads by
 * default, which are found with a draft that is built only for this.
 */
const reservedNames = (files: readonly SourceFile[], add: Add): ReadonlySet<string> => {
  const trial = new Draft();
  for (const each of files) add(each, trial);
  return new Set([...files.flatMap(({ value }) => namedVariables(value)), ...trial.variables.referred]);
};

/**
 * Builds one draft from all files. If one of them cannot be read, prints the reason and returns undefined. Throws a `UsageError`.
 */
export const makeDraft = async (sources: Sources, services: CommandServices): Promise<Made | undefined> => {
  const { catalogue } = await services.environment(undefined, undefined);
  const read: SourceFile[] = [];
  for (const file of sources.files) {
    const found = await readFile(file, sources, services);
    if (found === undefined) return undefined;
    read.push(found);
  }
  const add: Add = ({ file, value }, draft) =>
    sources.convert(value, {
      draft,
      providers: catalogue.providers,
      name: path.basename(file).replace(/\.[^.]*$/, ''),
    });
  const draft = new Draft(reservedNames(read, add));
  const located = new Map<Loss, LocatedLoss>();
  const secrets: LocatedSecret[] = [];
  const lostConfigs: string[] = [];
  let targets = 0;
  for (const each of read) {
    const { file, value, lineOf } = each;
    const knownSecrets = draft.secrets.length;
    draft.beginFile();
    const before = new Set(draft.configs.keys());
    add(each, draft);
    const names = [...draft.configs.keys()].filter((name) => !before.has(name));
    const refused = await removeRefusedRecords(draft, services);
    lostConfigs.push(...draft.lostConfigs.splice(0), ...(await removeRejected({ draft, names, refused }, services)));
    targets += new Set(draft.leftOut.splice(0)).size;
    for (const each of draft.lossesOfFile()) {
      const { pointer, ...loss } = each;
      located.set(each, { file, line: lineOf(pointer), place: nearestPlace(value, pointer), ...loss });
    }
    for (const { pointer, variable } of draft.secrets.slice(knownSecrets))
      secrets.push({ file, line: lineOf(pointer), variable });
  }
  // If each file is one config, a client without a config would get that of an arbitrary file.
  if (sources.files.length > 1 && !draft.hasReachableProvider) delete draft.gateway.default_config;
  // If clients reach saved providers by their models, no config needs to name these.
  if (!draft.hasReachableProvider) for (const loss of draft.dropUnnamed()) located.delete(loss);
  return { draft, losses: inOrder([...located.values()], sources.files), secrets, targets, lostConfigs };
};
