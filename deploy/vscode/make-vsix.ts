import { readFileSync } from 'node:fs';
import path from 'node:path';
import { strToU8, type Zippable, zipSync } from 'fflate';
import { licenceTexts } from '../sbom/licence-texts.ts';
import { root } from '../support/locked-packages.ts';
import { bundleExtension } from './bundle-extension.ts';
import { contentTypesXml, type ExtensionManifest, vsixManifest } from './vsix-manifest.ts';

export interface BuiltVsix {
  /** For example `gatewright-0.1.0.vsix`. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** The earliest time that a zip can store, so that equal contents produce equal bytes in any time zone. */
const mtime = new Date(1980, 0, 1);

/** Packages the VS Code extension. */
export const buildVsix = async (): Promise<BuiltVsix> => {
  const { code, packages } = await bundleExtension();
  const manifest: ExtensionManifest = JSON.parse(read('editors/vscode/package.json'));
  const title = 'The packages whose code is part of the extension, and their licences.';
  const files = {
    'extension.vsixmanifest': vsixManifest(manifest),
    'extension/package.json': read('editors/vscode/package.json'),
    'extension/README.md': read('editors/vscode/README.md'),
    'extension/LICENSE.txt': read('LICENSE'),
    'extension/THIRD_PARTY_LICENSES.txt': licenceTexts(packages, title),
    'extension/extension.cjs': code,
  };
  const all = { '[Content_Types].xml': contentTypesXml(Object.keys(files)), ...files };
  const zipped: Zippable = Object.fromEntries(Object.entries(all).map(([name, text]) => [name, strToU8(text)]));
  return { name: `${manifest.name}-${manifest.version}.vsix`, bytes: zipSync(zipped, { mtime, level: 9 }) };
};
