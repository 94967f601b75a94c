import path from 'node:path';
import { faces } from '../../../tools/build/package-modules.ts';
import { runCommand } from '../commands/run-command.ts';
import type { OperatorFolder } from '../gateways/operator-folder.ts';

const repository = path.join(import.meta.dirname, '../../..');

/**
 * Type-checks files in a folder with the project's strict settings. Returns the compiler's output, which is empty if there are
 * no errors.
 */
export const checkExampleTypes = async (
  files: readonly string[],
  folder: Pick<OperatorFolder, 'path' | 'write'>,
): Promise<string> => {
  const paths = Object.fromEntries(
    Object.entries(faces).map(([face, source]) => [
      path.posix.join('gatewright', face),
      [path.join(repository, source)],
    ]),
  );
  const config = {
    extends: path.join(repository, 'tsconfig.json'),
    compilerOptions: {
      ...{ paths, typeRoots: [path.join(repository, 'node_modules/@types')] },
      // Nobody reads the declarations of examples, or those of the sources here.
      ...{ isolatedDeclarations: false, declaration: false },
      // Examples in the project's own files import other files by absolute paths.
      ...{ rewriteRelativeImportExtensions: false, allowImportingTsExtensions: true },
    },
    include: [],
    files,
  };
  folder.write('tsconfig.examples.json', JSON.stringify(config));
  const tsc = path.join(repository, 'node_modules/.bin/tsc');
  // Several checkers would repeat their common work.
  const command = [tsc, '-p', 'tsconfig.examples.json', '--pretty', 'false', '--singleThreaded'] as const;
  const { stdout, stderr } = await runCommand(command, { cwd: folder.path });
  return `${stdout}${stderr}`;
};
