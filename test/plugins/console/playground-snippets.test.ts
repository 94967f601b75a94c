import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type DialectId,
  dialects,
  type Prompt,
  type Routing,
  readTools,
  toModel,
} from '../../../plugins/console/app/pages/playground/prompt.ts';
import { type SnippetId, snippetsOf, toSnippet } from '../../../plugins/console/app/pages/playground/snippets.ts';
import { toRequest } from '../../../plugins/console/app/pages/playground/to-request.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { startUpstream } from '../../support/servers/upstream-server.ts';

const prompt: Prompt = {
  model: 'gpt-4o',
  system: 'Be "brief".\nIt\'s a test \\ of quotes, ü and \u2028.',
  turns: [
    { role: 'user', text: "What's this? $HOME `id`", images: [{ name: 'a', mediaType: 'image/png', data: 'AAAA' }] },
    { role: 'assistant', text: 'An image.', images: [] },
    { role: 'user', text: 'Really?', images: [] },
  ],
  stream: false,
  temperature: 0.5,
  topP: undefined,
  maxTokens: 100,
  tools: [{ name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } }],
};

const via: Routing = { kind: 'provider', name: '@main' };

interface Sent {
  readonly path: string;
  readonly body: unknown;
  readonly provider: string | undefined;
  readonly key: string | undefined;
}

const hasPython = spawnSync('python3', ['--version']).status === 0;

/** A Python module that is called like a library and sends the arguments of its methods as the library does. */
const pythonStub = `
import json, urllib.request
class _Method:
    def __init__(self, client, path):
        self._client, self._path = client, path
    def __getattr__(self, name):
        return _Method(self._client, self._path + [name])
    def __call__(self, **body):
        paths = {'chat.completions.create': '/chat/completions', 'responses.create': '/responses', 'messages.create': '/v1/messages'}
        headers = {'content-type': 'application/json', 'authorization': 'Bearer ' + self._client['api_key'], **self._client.get('default_headers', {})}
        request = urllib.request.Request(self._client['base_url'] + paths['.'.join(self._path)], json.dumps(body).encode(), headers)
        urllib.request.urlopen(request).read()
        raise SystemExit(0)
class OpenAI:
    def __init__(self, **client):
        self._client = client
    def __getattr__(self, name):
        return _Method(self._client, [name])
Anthropic = OpenAI
`;

/** Runs a snippet with a key and returns the request that arrives. */
const sentBy = async (id: SnippetId, dialect: DialectId): Promise<Sent> => {
  const arrived: Sent[] = [];
  const upstream = await startUpstream((call) => {
    const header = (name: string) => call.request.header(name);
    arrived.push({
      path: call.request.path,
      body: JSON.parse(call.request.body.toString()),
      provider: header('x-gw-provider'),
      key: header('x-gw-api-key') ?? header('authorization')?.replace('Bearer ', '') ?? header('x-api-key'),
    });
    return call.json({ choices: [{ message: { content: 'Hi' } }], output: [], content: [] });
  });
  onTestFinished(() => upstream.close());
  const text = toSnippet(id, { dialect, request: toRequest(dialect, prompt), via, origin: upstream.origin });
  expect(text).not.toContain('the-key');
  const env = { ...process.env, GW_API_KEY: 'the-key' };
  const folder = temporaryFolder();
  if (id === 'javascript') {
    const body = text.replace(/^import .*$/m, '').replaceAll('process.env.GW_API_KEY', "'the-key'");
    const Library = dialect === 'messages' ? Anthropic : OpenAI;
    const run = new Function('OpenAI', 'Anthropic', 'console', `return (async () => {${body}})()`);
    await run(Library, Library, { log: () => {} });
  } else {
    mkdirSync(folder, { recursive: true });
    for (const name of ['openai.py', 'anthropic.py']) writeFileSync(path.join(folder, name), pythonStub);
    const file = path.join(folder, id === 'curl' ? 'run.sh' : 'run.py');
    writeFileSync(file, text);
    const { runProgram } = await import('./run-program.ts');
    await runProgram(id === 'curl' ? 'sh' : 'python3', [file], env);
  }
  const [sent] = arrived;
  if (sent === undefined) throw new Error('Nothing arrived.');
  return sent;
};

describe.each(dialects)('a snippet for %s', (dialect) => {
  it.each(snippetsOf[dialect])('in %s sends the same request as the playground', async (id) => {
    if (id === 'python' && !hasPython) return;
    const { path: expected, body } = toRequest(dialect, prompt);
    expect(await sentBy(id, dialect)).toEqual({ path: expected, body, provider: '@main', key: 'the-key' });
  });
});

describe('tools', () => {
  it('are parsed as functions, wrapped or not, and a mistake is named', () => {
    const tool = { name: 'f', description: 'd', parameters: { type: 'object' } };
    expect(readTools(JSON.stringify([tool, { type: 'function', function: tool }]))).toEqual({
      kind: 'read',
      tools: [tool, tool],
    });
    expect(readTools('  ')).toEqual({ kind: 'read', tools: [] });
    expect(['[', '{}', '[{}]'].map((text) => readTools(text))).toEqual([
      { kind: 'failed', at: 'json' },
      { kind: 'failed', at: 'list' },
      { kind: 'failed', at: 'name' },
    ]);
  });
});

describe('the model of a request', () => {
  it.each([
    ['as it is written', { kind: 'default' }, ' gpt-4o ', 'gpt-4o'],
    ['as it is written with a config', { kind: 'config', name: 'chat' }, 'gpt-4o', 'gpt-4o'],
    ['"any" if it is empty and a config sets its own', { kind: 'config', name: 'chat' }, ' ', 'any'],
    ['missing if it is empty for a provider', { kind: 'provider', name: '@main' }, '', ''],
    ['missing if it is empty for the default config', { kind: 'default' }, '', ''],
  ] as const)('is %s', (_, via, model, sent) => {
    expect(toModel({ via, model })).toBe(sent);
  });
});
