import { describe, expect, it } from 'vitest';
import { createExampleFolder } from '../support/readme/example-folder.ts';
import { recipeBlocks } from './support/recipe-blocks.ts';
import { startRecipeUpstream } from './support/recipe-upstream.ts';
import { runRecipe } from './support/run-recipe.ts';

const fence = (info: string, ...lines: readonly string[]): string => [`\`\`\`${info}`, ...lines, '```', ''].join('\n');

const follow = async (markdown: string): Promise<readonly string[]> => {
  using folder = createExampleFolder();
  const upstream = await startRecipeUpstream();
  const problems = await runRecipe(markdown, { folder, upstream, installs: false });
  await upstream.close();
  return problems;
};

const config = [
  fence('json gateway.json', '{ "configs": "configs", "default_config": "chat" }'),
  fence('json configs/chat.json', '{ "provider": "openai", "api_key": "${env:OPENAI_API_KEY}" }'),
  fence('sh', 'export OPENAI_API_KEY=sk-old', 'gw serve --config gateway.json --port 8787'),
].join('\n');

const ask = (text: string, ...shown: readonly string[]): string => {
  const body = JSON.stringify({ model: 'gpt-5-mini', messages: [{ role: 'user', content: text }] });
  const curl = `curl http://127.0.0.1:8787/v1/chat/completions -H 'content-type: application/json' -d '${body}'`;
  return `${fence('sh', curl)}\n${shown.length === 0 ? '' : fence('text', ...shown)}`;
};

it('a comment applies to the commands after it and to their output', () => {
  const markdown = [
    fence('sh', 'ls'),
    '<!-- run by command: it needs a client -->\n',
    fence('sh', 'client'),
    fence('text', 'Hello!'),
    '<!-- upstream: openai: 429 -->\n<!-- retried: it takes a second -->\n',
    fence('sh', 'curl'),
  ].join('\n');
  expect(
    recipeBlocks(markdown).map(({ run, reason, retried, upstream }) => ({ run, reason, retried, upstream })),
  ).toEqual([
    { run: 'tested', reason: '', retried: false, upstream: [] },
    { run: 'by command', reason: 'it needs a client', retried: false, upstream: [] },
    { run: 'by command', reason: 'it needs a client', retried: false, upstream: [] },
    { run: 'tested', reason: '', retried: true, upstream: ['openai: 429'] },
  ]);
});

describe.concurrent('a recipe', () => {
  it('has no problem if it does what it says', async () => {
    expect(await follow(`${config}${ask('Hello!', '{…"content":"Hello! How can I help you today?"…}')}`)).toEqual([]);
  });

  it('has the problems that a reader would meet', async () => {
    const markdown = [
      config,
      ask('Hello!', '{…"content":"Goodbye!"…}'),
      '<!-- upstream: openai: accepts sk-new -->\n',
      ask('Hello!'),
      fence('ts wrong.mts', 'export const x: string = 1;'),
    ].join('\n');
    const problems = await follow(markdown);
    expect(problems).toHaveLength(3);
    expect(problems[0]).toMatch(/^line 25: curl [\s\S]*It ended with 22:[\s\S]*Incorrect API key/);
    expect(problems[1]).toMatch(/the output is another:\n\{.*How can I help you/);
    expect(problems[2]).toMatch(/wrong\.mts\(1,14\): error TS2322/);
  });

  it('has problems with what a provider receives', async () => {
    const markdown = [
      config,
      '<!-- upstream: openai: never gets ada@example.org -->\n',
      ask('Write to ada@example.org.', '{…}'),
      fence('json telemetry.json', '{ "telemetry": { "otlp": { "url": "http://localhost:4318" } } }'),
    ].join('\n');
    expect(await follow(markdown)).toEqual(['It got ada@example.org.', 'No traces reached the receiver.']);
  });
});
