import { hasFileEnding } from '../../schema/config/file-names.ts';
import { configKeys } from '../../schema/generated/config-keys.ts';
import { gatewayFileKeys } from '../../schema/generated/gateway-file-keys.ts';
import { isJsonObject, type Json } from '../../schema/json/json.ts';

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

/** Reports a value that is of another kind than wanted; `undefined` where it is not. `file` is the one that has it. */
export const otherFile = (value: Json, wanted: FileKind, file = ''): OtherFile | undefined => {
  const found = findKind(value);
  if (found === undefined || found === wanted) return undefined;
  const named = hasFileEnding(file) ? file : 'gateway.json';
  return { found: words[found], wanted: words[wanted], suggestion: suggestions[found](named) };
};
