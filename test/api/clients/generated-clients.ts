import { copyFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { type DocumentedGateway, withDocument } from './documented-gateway.ts';

const copy = (name: string, { folder }: DocumentedGateway, as: string): void =>
  copyFileSync(path.join(import.meta.dirname, name), path.join(folder, as));

const options = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--skipLibCheck', '--types', 'node'];

/** Generates a client in the folder of the gateway and returns the output of its program. */
type Generate = (gateway: DocumentedGateway) => Promise<string>;

const typescript: Generate = async (gateway) => {
  copy('store-chapter.ts.txt', gateway, 'store-chapter.ts');
  symlinkSync(
    path.join(import.meta.dirname, '../../../node_modules'),
    path.join(gateway.folder, 'node_modules'),
    'dir',
  );
  await gateway.run('openapi-typescript', 'openapi.json', '-o', 'paths.ts');
  await gateway.run('tsc', ...options, 'store-chapter.ts');
  return gateway.run('node', 'store-chapter.js');
};

const python: Generate = async (gateway) => {
  copy('store_chapter.py', gateway, 'store_chapter.py');
  await gateway.run('python3', '-m', 'venv', 'venv');
  await gateway.run('venv/bin/pip', 'install', '-q', 'openapi-python-client==0.29.1');
  await gateway.run('venv/bin/openapi-python-client', 'generate', '--path', 'openapi.json', '--output-path', 'client');
  await gateway.run('venv/bin/pip', 'install', '-q', './client');
  return gateway.run('venv/bin/python', 'store_chapter.py');
};

export const generatedClients: Readonly<Record<string, Generate>> = { typescript, python };

/** The output of a client that has done everything in the README's chapter on the store. */
export const done: object = { answer: 1, greeting: true, providers: ['main'], refused: 400 };

/** Returns the output of a client generated from the document of a gateway started for it. */
export const clientSays = async (generate: Generate): Promise<unknown> => {
  let said: unknown;
  await withDocument(async (gateway) => {
    said = JSON.parse(await generate(gateway));
  });
  return said;
};
