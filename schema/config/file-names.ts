/** The format of a file's text. */
export type FileFormat = 'jsonc' | 'yaml';

const formats: readonly (readonly [ending: string, format: FileFormat])[] = [
  ['.json', 'jsonc'],
  ['.jsonc', 'jsonc'],
  ['.yaml', 'yaml'],
  ['.yml', 'yaml'],
];

/** The extensions of files that people write. */
export const fileEndings: readonly string[] = formats.map(([ending]) => ending);

/** The extensions in words. */
export const fileEndingsText = '.json, .jsonc, .yaml or .yml';

/** Whether a file name has the extension of a config. */
export const hasFileEnding = (name: string): boolean => fileEndings.some((ending) => name.endsWith(ending));

const endingOf = (file: string): string | undefined =>
  fileEndings.find((ending) => file.toLowerCase().endsWith(ending));

/** The format according to a file's name: JSON with comments, unless the extension is that of YAML. */
export const formatOf = (file: string | undefined): FileFormat => {
  const ending = file === undefined ? undefined : endingOf(file);
  return formats.find(([each]) => each === ending)?.[1] ?? 'jsonc';
};

/** The name without its extension: `prod.eu` for `prod.eu.yaml`. */
export const withoutEnding = (file: string): string => file.slice(0, file.length - (endingOf(file) ?? '').length);

/** The names that the gateway file of a folder can have. */
export const gatewayFileNames: readonly string[] = fileEndings.map((ending) => `gateway${ending}`);

/**
 * The file with the providers' lists of models for a gateway file: `gateway.models.json` beside `gateway.json` or `gateway.yaml`.
 */
export const factsFileOf = (gatewayFile: string): string => `${withoutEnding(gatewayFile)}.models.json`;

/** Whether a file contains route tests, judging by its name. Such files may be beside configs but are not configs. */
export const isRouteFile = (name: string): boolean => /\.route\.(?:json|ya?ml)$/.test(name);

/** Whether a command writes files with this name: a compiled plan, or the providers' lists of models beside a gateway file. */
export const isGeneratedFile = (name: string): boolean =>
  name.endsWith('.plan.json') || name === factsFileOf('gateway.json');

/** Whether a file with this name belongs to npm, which formats it itself. */
export const isNpmFile = (name: string): boolean => name === 'package.json' || name === 'package-lock.json';

/**
 * Whether a name in a folder of configs belongs to a file that is not a config: a gateway file or a file beside it, a compiled
 * plan, route tests, or a file of npm.
 */
export const isOtherFile = (name: string): boolean =>
  isGeneratedFile(name) || isRouteFile(name) || isNpmFile(name) || gatewayFileNames.includes(name);

/** The gateway file of a folder; several if it is not clear which one is meant. */
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
