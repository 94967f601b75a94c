/** How the text of a file is written. */
export type FileFormat = 'jsonc' | 'yaml';

const formats: readonly (readonly [ending: string, format: FileFormat])[] = [
  ['.json', 'jsonc'],
  ['.jsonc', 'jsonc'],
  ['.yaml', 'yaml'],
  ['.yml', 'yaml'],
];

/** The ends of the names of files that people write. */
export const fileEndings: readonly string[] = formats.map(([ending]) => ending);

/** The endings in words. */
export const fileEndingsText = '.json, .jsonc, .yaml or .yml';

/** Whether a name in a folder ends like that of a config. */
export const hasFileEnding = (name: string): boolean => fileEndings.some((ending) => name.endsWith(ending));

const endingOf = (file: string): string | undefined =>
  fileEndings.find((ending) => file.toLowerCase().endsWith(ending));

/** The format that the name of a file says: JSON with comments, unless it says YAML. */
export const formatOf = (file: string | undefined): FileFormat => {
  const ending = file === undefined ? undefined : endingOf(file);
  return formats.find(([each]) => each === ending)?.[1] ?? 'jsonc';
};

/** `prod.eu` for `prod.eu.yaml`. */
export const withoutEnding = (file: string): string => file.slice(0, file.length - (endingOf(file) ?? '').length);

/** The gateway file of a folder has one of these names. */
export const gatewayFileNames: readonly string[] = fileEndings.map((ending) => `gateway${ending}`);

/** The file of providers' lists that belongs to a gateway file: `gateway.models.json` beside `gateway.json` or `gateway.yaml`. */
export const factsFileOf = (gatewayFile: string): string => `${withoutEnding(gatewayFile)}.models.json`;

/** Whether a file has route tests, by its name: such files may stand beside configs, and are none. */
export const isRouteFile = (name: string): boolean => /\.route\.(?:json|ya?ml)$/.test(name);

/** Whether a file of this name is written by a command: a compiled plan, or the lists of providers beside a gateway file. */
export const isGeneratedFile = (name: string): boolean =>
  name.endsWith('.plan.json') || name === factsFileOf('gateway.json');

/** Whether a file of this name is one of npm, which npm lays out itself. */
export const isNpmFile = (name: string): boolean => name === 'package.json' || name === 'package-lock.json';

/**
 * Whether a name in a folder of configs is of a file that is no config: a gateway file, what is beside one, a compiled plan,
 * route tests, a file of npm.
 */
export const isOtherFile = (name: string): boolean =>
  isGeneratedFile(name) || isRouteFile(name) || isNpmFile(name) || gatewayFileNames.includes(name);

/** The gateway file of a folder; several where it cannot be known which one is meant. */
export type FoundGatewayFile =
  | { readonly kind: 'none' }
  | { readonly kind: 'one'; readonly name: string }
  | { readonly kind: 'several'; readonly first: string; readonly message: string; readonly hint: string };

/** Finds the gateway file of a folder by the names of its files. */
export const gatewayFileOf = async (isFile: (name: string) => Promise<boolean>): Promise<FoundGatewayFile> => {
  const there = await Promise.all(gatewayFileNames.map(isFile));
  const [first, second] = gatewayFileNames.filter((_, index) => there[index]);
  if (first === undefined) return { kind: 'none' };
  if (second === undefined) return { kind: 'one', name: first };
  return {
    ...{ kind: 'several', first },
    message: `There are two gateway files, ${first} and ${second}.`,
    hint: 'Keep one of them, or name the one that is meant with --config FILE.',
  };
};
