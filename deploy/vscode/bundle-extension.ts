import path from 'node:path';
import { rolldown } from 'rolldown';
import { type LockedPackage, lockedTree, root } from '../support/locked-packages.ts';

/** An extension as one module. */
export interface BundledExtension {
  readonly code: string;
  /** The packages that are part of it. */
  readonly packages: readonly LockedPackage[];
}

const client = 'vscode-languageclient';

/** Joins the extension and what it needs into one CommonJS module, which imports `vscode` and modules of Node alone. */
export const bundleExtension = async (): Promise<BundledExtension> => {
  const bundle = await rolldown({
    cwd: root,
    input: path.join(root, 'editors/vscode/extension.ts'),
    platform: 'node',
    external: ['vscode'],
  });
  const { output } = await bundle.generate({ format: 'cjs', codeSplitting: false, minify: true });
  await bundle.close();
  const [chunk] = output;
  const isPart = ({ folder }: LockedPackage): boolean =>
    Object.keys(chunk.modules).some((id) => id.startsWith(path.join(root, folder, path.sep)));
  return { code: chunk.code, packages: lockedTree([client]).filter(isPart) };
};
