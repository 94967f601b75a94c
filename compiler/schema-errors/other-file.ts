import { hasFileEnding } from '../../schema/config/file-names.ts';
import { configKeys } from '../../schema/generated/config-keys.ts';
import { gatewayFileKeys } from '../../schema/generated/gateway-file-keys.ts';
import { isJsonObject, type Json } from '../../schema/json/json.ts';
import { rootPointer } from '../../schema/json/pointer.ts';
import { closestName, editDistance } from '../../schema/text/closest-name.ts';
import { requestParameters } from './request-parameters.ts';
import { specialKeyHint } from './special-key-hint.ts';
import { findSynonym } from './synonyms.ts';

/** The kinds of JSON files that people confuse with one another. */
export type FileKind = 'config' | 'gateway file' | 'compiled plan';

/** The kind of file that was found, and the kind that was wanted. */
export interface OtherFile {
  readonly found: string;
  readonly wanted: string;
  readonly suggestion: string;
}

const known = ({ '': keys = [] }: { readonly [place: string]: readonly string[] }): ReadonlySet<string> =>
  new Set(keys.filter((key) => key !== '$schema'));

const ofConfigs = known(configKeys);
const ofGatewayFiles = known(gatewayFileKeys);
const ofPlans = ['format', 'hash', 'root', 'requires'];

/** Names that may occur anywhere in configs, but not at the root of a gateway file. */
const inConfigs: readonly string[] = [...Object.values(configKeys).flat(), ...Object.keys(requestParameters)].filter(
  (key) => !ofGatewayFiles.has(key),
);

/**
 * Returns how many letters of a word are wrong if it is meant to be the most similar of these names; undefined if none is
 * similar.
 */
const misspeltLetters = (word: string, names: readonly string[]): number | undefined => {
  const name = closestName(word, names);
  return name === undefined ? undefined : editDistance(word, name);
};

/** Whether a word is more similar to a member of gateway files than to anything that a config may have or has a hint for. */
const isMisspeltOfGatewayFile = (key: string, value: Json | undefined): boolean => {
  if (ofConfigs.has(key)) return false;
  const letters = misspeltLetters(key, [...ofGatewayFiles]);
  if (letters === undefined || letters >= (misspeltLetters(key, inConfigs) ?? Number.POSITIVE_INFINITY)) return false;
  const unknown = { key, value, pointer: rootPointer, schemaPath: '', keys: [...ofConfigs] };
  return findSynonym('', key) === undefined && specialKeyHint(unknown) === undefined;
};

/** Whether no member of a file is known, and each is similar to one of a gateway file. */
const isMisspeltGatewayFile = (value: Json): boolean => {
  if (!isJsonObject(value)) return false;
  const members = Object.entries(value).filter(([key]) => key !== '$schema');
  return members.length > 0 && members.every(([key, member]) => isMisspeltOfGatewayFile(key, member));
};

const findKind = (value: Json): FileKind | undefined => {
  if (!isJsonObject(value)) return undefined;
  if (ofPlans.every((key) => Object.hasOwn(value, key))) return 'compiled plan';
  const keys = Object.keys(value);
  const hasAnyOf = (kind: ReadonlySet<string>): boolean => keys.some((key) => kind.has(key));
  if (hasAnyOf(ofConfigs) === hasAnyOf(ofGatewayFiles)) return undefined;
  return hasAnyOf(ofConfigs) ? 'config' : 'gateway file';
};

const words: Readonly<Record<FileKind, string>> = {
  config: 'a routing config',
  'gateway file': 'a gateway file',
  'compiled plan': 'a compiled plan',
};

const suggestions: Readonly<Record<FileKind, (file: string) => string>> = {
  config: () => 'Move it into the folder that "configs" of the gateway file names.',
  'gateway file': (file) => `Check it, with the configs that it names: gw check --config ${file}`,
  'compiled plan': () => 'Check the config that it was compiled from; gw explain shows plans.',
};

/** Reports a value of another kind than wanted; `undefined` if it is of the wanted kind. `file` is the file that contains it. */
export const otherFile = (value: Json, wanted: FileKind, file = ''): OtherFile | undefined => {
  const isFile = hasFileEnding(file);
  const found = findKind(value) ?? (isFile && isMisspeltGatewayFile(value) ? 'gateway file' : undefined);
  if (found === undefined || found === wanted) return undefined;
  const named = isFile ? file : 'gateway.json';
  return { found: words[found], wanted: words[wanted], suggestion: suggestions[found](named) };
};
