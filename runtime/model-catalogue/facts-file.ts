import { isJsonObject, type Json, type JsonObject } from '../../schema/json/json.ts';
import { findNumber, findObject, findText, toObjects, toTexts } from '../../schema/json/loose.ts';
import { parseObject } from '../../schema/json/parse-json.ts';
import { type Capability, isCapability } from '../../schema/model-facts/capability.ts';
import type { StatedFacts } from '../../schema/model-facts/model-facts.ts';
import { readRegularFile } from '../watched-files/read-regular-file.ts';

/** The maximum size of the file in bytes: the lists of all providers together have less than 5 MB. */
const maxBytes = 64 * 1024 * 1024;

/** The version of the file format that this build writes. */
const format = 1;

/** The facts from a provider's own list, and the day on which it was read. */
export interface ProviderFacts {
  readonly asOf: string;
  readonly models: readonly Omit<StatedFacts, 'provider' | 'source' | 'asOf'>[];
}

/** The lists that were read, by provider: an id, or `@slug`. */
export type ProviderLists = Readonly<Record<string, ProviderFacts>>;

/** Returns the text of the file, with one line per model, so that changes are visible in a diff. */
export const factsFileText = (lists: ProviderLists): string => {
  const providers = Object.entries(lists)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([provider, { asOf, models }]) => {
      const rows = models.map((facts) => `      ${JSON.stringify(facts)}`).join(',\n');
      return `    ${JSON.stringify(provider)}: { "as_of": ${JSON.stringify(asOf)}, "models": [\n${rows}\n    ] }`;
    });
  return `{\n  "format": ${format},\n  "providers": {\n${providers.join(',\n')}\n  }\n}\n`;
};

const toCapabilities = (value: Json | undefined): readonly Capability[] | undefined =>
  value === undefined ? undefined : toTexts(value).filter(isCapability);

const toModel = (row: JsonObject): ProviderFacts['models'] => {
  const model = findText(row.model);
  if (model === undefined) return [];
  return [
    {
      model,
      aliases: toTexts(row.aliases),
      context: findNumber(row.context),
      output: findNumber(row.output),
      deprecated: findText(row.deprecated),
      able: toCapabilities(row.able),
      unable: toCapabilities(row.unable),
    },
  ];
};

const unreadable = (file: string, what: string): Error =>
  new Error(`The lists of models in ${file} ${what}. Recreate them with gw models refresh.`);

/** Parses the text of the file. Throws an `Error` that says what to do. */
export const parseFactsFile = (text: string, file: string): ProviderLists => {
  const value = parseObject(text);
  if (value === undefined) throw unreadable(file, 'are not valid JSON');
  if (value.format !== format || !isJsonObject(value.providers)) throw unreadable(file, 'have a different format');
  return Object.fromEntries(
    Object.entries(value.providers).map(([provider, list]) => {
      const { as_of, models } = findObject(list) ?? {};
      return [provider, { asOf: findText(as_of) ?? '', models: toObjects(models).flatMap(toModel) }];
    }),
  );
};

/** Reads the file. Returns no lists if there is none. Throws an `Error` that says what to do. */
export const readFactsFile = async (file: string): Promise<ProviderLists> => {
  let bytes: Buffer;
  try {
    bytes = await readRegularFile(file, maxBytes);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw unreadable(file, 'cannot be read');
  }
  return parseFactsFile(bytes.toString(), file);
};

/** Converts lists to statements. */
export const toListedFacts = (lists: ProviderLists): readonly StatedFacts[] =>
  Object.entries(lists).flatMap(([provider, { asOf, models }]) =>
    models.map((facts) => ({ ...facts, provider, source: 'provider' as const, asOf })),
  );
