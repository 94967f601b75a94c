import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runCommand } from '../../support/commands/run-command.ts';
import { repository } from './packages.ts';

const resolutions = {
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
} as const;

/** The ways in which a third party's compiler resolves packages. */
export type Resolution = keyof typeof resolutions;

export interface TypeCheckOptions {
  readonly files: readonly string[];
  readonly resolution: Resolution;
  /** Without the declarations of Node, the DOM or anything else outside the language. */
  readonly bare?: boolean;
}

/**
 * Type-checks files of a project strictly. Returns the compiler's output, which is empty if there are no errors. The
 * declarations of packages are checked as well, because a lost type would otherwise become `any` without an error.
 */
export const typeCheck = async (
  project: string,
  { files, resolution, bare = false }: TypeCheckOptions,
): Promise<string> => {
  const config = path.join(project, `tsconfig.${resolution}.json`);
  const compilerOptions = {
    ...resolutions[resolution],
    target: 'es2024',
    lib: bare ? ['es2024'] : ['es2024', 'esnext.disposable'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
    allowImportingTsExtensions: true,
    resolveJsonModule: true,
    types: bare ? [] : ['node'],
    typeRoots: [path.join(repository, 'node_modules/@types')],
  };
  writeFileSync(config, JSON.stringify({ compilerOptions, files }));
  const { status, stdout, stderr } = await runCommand(
    [path.join(repository, 'node_modules/.bin/tsc'), '-p', config, '--pretty', 'false'],
    { cwd: project },
  );
  rmSync(config);
  return status === 0 ? '' : `${stdout}${stderr}`;
};
