import path from 'node:path';
import type { Provider } from '../../../plugins/sdk/provider/provider.ts';
import { isJsonObject, type Json } from '../../../schema/json/json.ts';
import type { JsonPointer } from '../../../schema/json/pointer.ts';
import { createRenderer } from '../../excerpts/render.ts';
import { parseConfig } from '../../parse/parse-config.ts';
import type { CommandServices } from '../command-line/services.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { readText } from '../files/read-text.ts';
import type { Draft, Loss } from './draft/draft.ts';
import { nearestPlace } from './draft/nearest-place.ts';
import { settle } from './settle.ts';
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

/** Where in the files that are imported something is. */
interface Located {
  readonly losses: readonly LocatedLoss[];
  readonly secrets: readonly LocatedSecret[];
  /** How many targets of the files are left out. */
  readonly targets: number;
}

interface Sources {
  readonly kind: string;
  readonly files: readonly string[];
  readonly convert: ImportSource;
}

interface Converted {
  readonly value: Json;
  readonly lineOf: (pointer: JsonPointer) => number;
}

/** Adds one file to a draft. Answers undefined where it cannot be read, which is written. Throws a `UsageError`. */
const addFile = async (
  file: string,
  { kind, convert }: Sources,
  { draft, services }: { readonly draft: Draft; readonly services: CommandServices },
  providers: ReadonlyMap<string, Provider>,
): Promise<Converted | undefined> => {
  const { io } = services;
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
  const before = new Set(draft.configs.keys());
  convert(value, { draft, providers, name: path.basename(file).replace(/\.[^.]*$/, '') });
  await settle(
    draft,
    [...draft.configs.keys()].filter((name) => !before.has(name)),
    services,
  );
  return { value, lineOf: (pointer) => document.readSpan(pointer, 'key').line };
};

/** The losses in the order of the files and their lines, those of checks before the others. */
const inOrder = (losses: readonly LocatedLoss[], files: readonly string[]): readonly LocatedLoss[] =>
  losses.toSorted(
    (one, other) =>
      Number(other.unchecked ?? false) - Number(one.unchecked ?? false) ||
      files.indexOf(one.file) - files.indexOf(other.file) ||
      one.line - other.line,
  );

/** Makes one draft of all files. Answers undefined where one of them cannot be read, which is written. Throws a `UsageError`. */
export const addFiles = async (
  sources: Sources,
  draft: Draft,
  services: CommandServices,
): Promise<Located | undefined> => {
  const { catalogue } = await services.environment(undefined, undefined);
  const losses: LocatedLoss[] = [];
  const secrets: LocatedSecret[] = [];
  let targets = 0;
  for (const file of sources.files) {
    const [knownLosses, knownSecrets] = [draft.losses.length, draft.secrets.length];
    const added = await addFile(file, sources, { draft, services }, catalogue.providers);
    if (added === undefined) return undefined;
    const { value, lineOf } = added;
    targets += new Set(draft.leftOut.splice(0)).size;
    for (const { pointer, ...loss } of draft.losses.slice(knownLosses))
      losses.push({ file, line: lineOf(pointer), place: nearestPlace(value, pointer), ...loss });
    for (const { pointer, variable } of draft.secrets.slice(knownSecrets))
      secrets.push({ file, line: lineOf(pointer), variable });
  }
  // A client without a config would get that of one of the files, where each file is one config.
  if (sources.files.length > 1 && !draft.isReached) delete draft.gateway.default_config;
  return { losses: inOrder(losses, sources.files), secrets, targets };
};
