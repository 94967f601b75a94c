import path from 'node:path';

/** A command that serves editors. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** Windows starts a file that ends in `.cmd` by its shell alone. */
  readonly shell: boolean;
}

export interface FindCommandOptions {
  /** The setting `gatewright.command`; nothing where it is empty. */
  readonly setting: string;
  /** The folder that a setting starts from. */
  readonly base: string;
  /** The folders in which a package is looked for, and in those above them, one after another. */
  readonly folders: readonly string[];
  /** The variable `PATH`. */
  readonly searchPath: string;
  readonly platform: NodeJS.Platform;
  readonly isFile: (file: string) => boolean;
}

/** The command, or why there is none, as a sentence. */
export type FoundCommand =
  | { readonly ok: true; readonly found: ServerCommand }
  | { readonly ok: false; readonly why: string };

const lsp = ['lsp', '--stdio'];

const byNode = (file: string): ServerCommand => ({ command: 'node', args: [file, ...lsp], shell: false });

const isScript = (file: string): boolean => /\.[cm]?js$/i.test(file);

const toCommand = (file: string): ServerCommand =>
  isScript(file) ? byNode(file) : { command: file, args: lsp, shell: /\.(?:cmd|bat)$/i.test(file) };

/** A folder and all above it. */
const upwards = (folder: string): readonly string[] => {
  const above = path.dirname(folder);
  return above === folder ? [folder] : [folder, ...upwards(above)];
};

/** Finds the `gw` of the setting, or of the nearest package, or in the `PATH`. */
export const findCommand = (options: FindCommandOptions): FoundCommand => {
  const { setting, base, folders, searchPath, platform, isFile } = options;
  if (setting !== '') {
    const file = path.resolve(base, setting);
    if (isFile(file)) return { ok: true, found: toCommand(file) };
    return { ok: false, why: `The setting gatewright.command names ${file}, which is not there.` };
  }
  const packages = folders.flatMap(upwards).map((folder) => path.join(folder, 'node_modules', 'gatewright', 'gw.js'));
  const own = packages.find(isFile);
  if (own !== undefined) return { ok: true, found: byNode(own) };
  const names = platform === 'win32' ? ['gw.cmd', 'gw.exe'] : ['gw'];
  const inPath = searchPath
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))
    .flatMap((folder) => names.map((name) => path.join(folder, name)))
    .find(isFile);
  if (inPath !== undefined) return { ok: true, found: toCommand(inPath) };
  return {
    ok: false,
    why: 'There is no gw command: install it with "npm install gatewright", or name it in the setting gatewright.command.',
  };
};
