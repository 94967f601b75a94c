/**
 * Generates clients of the document, in a folder that is taken away, and does with them what the README's chapter on the
 * store does: `node test/api/clients/generated.ts typescript`, or `python` (3.10 or newer, with venv). Exits with 1 where
 * one cannot be generated, does not compile, or gets another answer.
 */
import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { type DocumentedGateway, withDocument } from './documented-gateway.ts';

const expected = JSON.stringify({ answer: 1, greeting: true, providers: ['main'], refused: 400 });

const copy = (name: string, { folder }: DocumentedGateway, as: string): void =>
  copyFileSync(path.join(import.meta.dirname, name), path.join(folder, as));

// The compiler of this project has no interface yet that openapi-typescript could use, so it is no dependency here.
const packages = ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', 'typescript@5.9.3', '@types/node@24'];
const options = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--skipLibCheck', '--types', 'node'];

const clients: Readonly<Record<string, (gateway: DocumentedGateway) => Promise<string>>> = {
  typescript: async (gateway) => {
    copy('store-chapter.ts.txt', gateway, 'store-chapter.ts');
    await gateway.run('npm', 'install', '--no-audit', '--no-fund', ...packages);
    await gateway.run('npx', 'openapi-typescript', 'openapi.json', '-o', 'paths.ts');
    await gateway.run('npx', 'tsc', ...options, 'store-chapter.ts');
    return gateway.run('node', 'store-chapter.js');
  },
  python: async (gateway) => {
    copy('store_chapter.py', gateway, 'store_chapter.py');
    await gateway.run('python3', '-m', 'venv', 'venv');
    await gateway.run('venv/bin/pip', 'install', '-q', 'openapi-python-client==0.29.1');
    await gateway.run(
      'venv/bin/openapi-python-client',
      'generate',
      '--path',
      'openapi.json',
      '--output-path',
      'client',
    );
    await gateway.run('venv/bin/pip', 'install', '-q', './client');
    return gateway.run('venv/bin/python', 'store_chapter.py');
  },
};

const [name = ''] = process.argv.slice(2);
const client = clients[name];
if (client === undefined) {
  process.stderr.write(`Name one of ${Object.keys(clients).join(', ')}.\n`);
  process.exitCode = 1;
} else {
  await withDocument(async (gateway) => {
    const said = JSON.stringify(JSON.parse(await client(gateway)));
    process.stdout.write(`${said}\n`);
    if (said !== expected) throw new Error(`Expected ${expected}.`);
  });
}
