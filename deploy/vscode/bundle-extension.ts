import path from 'node:path';
import { rolldown } from 'rolldown';
import { type LockedPackage, lockedTree, root } from '../support/locked-packages.ts';

/** An extension bundled into one module. */
export interface BundledExtension {
  readonly code: string;
  /** The packages whose code is in the module. */
  readonly packages: readonly LockedPackage[];
}

const client = 'vscode-languageclient';

/** Bundles the extension and its packages into one CommonJS module, which imports only `vscode` and modules of Node. */
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
