import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const repository = fileURLToPath(new URL('../../../', import.meta.url));

/** Writes the declarations of a source and all of its imports, without comments, into a separate folder. */
const emitDeclarations = async (source: string, folder: string): Promise<void> => {
  const project = join(folder, 'tsconfig.json');
  const compilerOptions = {
    noEmit: false,
    emitDeclarationOnly: true,
    removeComments: true,
    rootDir: repository,
    outDir: folder,
    typeRoots: [join(repository, 'node_modules/@types')],
  };
  const base = join(repository, 'tsconfig.json');
  writeFileSync(
    project,
    JSON.stringify({ extends: base, compilerOptions, include: [], files: [join(repository, source)] }),
  );
  const tsc = join(repository, 'node_modules/typescript/bin/tsc');
  await promisify(execFile)(process.execPath, [tsc, '-p', project]);
};

/** Splits a declaration file into its top-level statements, each of which starts in the first column. */
const statements = (text: string): readonly string[] => text.split(/\n(?=[a-z])/).map((statement) => statement.trim());

const findName = (statement: string): string | undefined =>
  /^(?:export )?(?:declare )?(?:abstract )?(?:const|class|function|interface|type) (\w+)/.exec(statement)?.[1];

const declarationFile = (folder: string, source: string): string => join(folder, source.replace(/\.ts$/, '.d.ts'));

/** Returns what a module re-exports: each source, relative to the repository, with the names taken from it. */
const reexports = (barrel: string, text: string): readonly (readonly [source: string, names: readonly string[]])[] =>
  [...text.matchAll(/export (?:type )?\{([^}]*)\} from '([^']+)'/g)].map(([, names = '', source = '']) => [
    join(dirname(barrel), source),
    names.split(',').flatMap((name) => name.replace(/^\s*type\s/, '').trim() || []),
  ]);

/** Returns everything that a barrel exports, as text: each name with its declaration. */
export const declaredSurface = async (barrel: string): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'gatewright-surface-'));
  try {
    await emitDeclarations(barrel, folder);
    const parts = reexports(barrel, readFileSync(declarationFile(folder, barrel), 'utf8')).map(([source, names]) => {
      const file = declarationFile(folder, source);
      const declared = existsSync(file) ? statements(readFileSync(file, 'utf8')) : [];
      const promised = declared.filter((statement) => names.includes(findName(statement) ?? ''));
      return `// ${source}\n${promised.join('\n')}\n`;
    });
    return parts.join('\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
