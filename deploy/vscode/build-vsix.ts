/** `npm run deploy:vsix`: packages the VS Code extension into `reports/vscode`, without `vsce` and without a registry. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildVsix } from './make-vsix.ts';

const { values } = parseArgs({ options: { out: { type: 'string', default: 'reports/vscode' } } });

const { name, bytes } = await buildVsix();
mkdirSync(values.out, { recursive: true });
const file = path.join(values.out, name);
writeFileSync(file, bytes);
process.stdout.write(`${file}: ${(bytes.length / 1000).toFixed(0)} kB\n`);
