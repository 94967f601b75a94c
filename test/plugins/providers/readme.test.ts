import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Provider } from '../../../plugins/sdk/provider/provider.ts';
import { testProvider } from '../../../plugins/testkit/provider/test-provider.ts';
import { createOperatorFolder, type OperatorFolder } from '../../support/gateways/operator-folder.ts';
import { checkExampleTypes } from '../../support/readme/check-example-types.ts';
import { readFences } from '../../support/readme/read-fences.ts';

const providers = path.join(import.meta.dirname, '../../../plugins/providers');
const markdown = readFileSync(path.join(providers, 'README.md'), 'utf8');

/** The code of an example as if it were in the folder from which its imports resolve. */
const placed = (text: string): string =>
  text.replace(/(?<= from ')(\.[^']+)/g, (specifier) => {
    const folder = ['openai-like', '.'].find((each) => existsSync(path.join(providers, each, specifier)));
    return path.join(providers, folder ?? expect.unreachable(`${specifier} is not there.`), specifier);
  });

const files = readFences(markdown)
  .filter(({ language }) => language === 'ts')
  .map(({ text }) => placed(text));

/** The members that the table lists, such as `drop: ['max_completion_tokens']`. */
const members = [...markdown.matchAll(/^\| [a-z][^|]*\| (.*) \|$/gm)].flatMap(([, cell = '']) =>
  [...cell.matchAll(/`(\w+: [^`]+)`/g)].map(([, member = '']) => member),
);

const withMember = (member: string): string =>
  placed(`import type { Provider } from '../../sdk/provider/provider.ts';
import { keyInHeader } from '../shared/key-in-header.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

export const headers: Provider['headers'] = keyInHeader('x-example');
export const example: Provider = openaiCompatible({
  id: 'example',
  documentation: 'https://docs.example.com/api',
  baseUrl: 'https://api.example.com/v1',
  operations: ['chat', 'embeddings', 'rerank', 'messages'],
  ${member},
});
`);

const examples = [...files, ...members.map(withMember)].map((text, at) => [`example-${at}.ts`, text] as const);

describe('the example providers in the README', () => {
  let folder: OperatorFolder;
  beforeAll(() => {
    folder = createOperatorFolder();
    folder.write('package.json', '{ "type": "module" }');
    for (const [file, text] of examples) folder.write(file, text);
  });
  afterAll(() => folder[Symbol.dispose]());

  it('are of the type Provider', async () => {
    expect([files.length, members.length > 8]).toEqual([2, true]);
    const written = examples.map(([file]) => file);
    expect(await checkExampleTypes(written, folder)).toBe('');
  });

  it.each(examples)('keep the provider contract (%s)', async (file) => {
    const { example }: { example: Provider } = await import(pathToFileURL(path.join(folder.path, file)).href);
    await testProvider(example);
  });
});
