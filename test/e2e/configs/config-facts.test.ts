import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type CatalogueData, createEditor, type Saved } from '../../../compiler/editor/api.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { callControl, serveStore } from '../../support/gateways/stored-gateway.ts';

const schema = (name: string): JsonObject =>
  JSON.parse(readFileSync(new URL(`../../../schema/${name}.schema.json`, import.meta.url), 'utf8'));

const schemas = { config: schema('config'), gateway: schema('gateway') };

interface Facts {
  readonly catalogue: CatalogueData;
  readonly saved: Saved;
}

interface Tried {
  readonly diagnostics: readonly { readonly code: string; readonly pointer: string }[];
}

it('lets an editor find in configs of a workspace what a dry run of the gateway finds', async () => {
  const gateway = await serveStore();
  const credential = 'sk-that-nobody-reads-again';
  const provider = { name: 'Prod', slug: 'prod', provider: 'openai', key: credential };
  expect((await callControl(gateway, 'POST /virtual-keys', { body: provider })).status).toBe(200);
  const prompt = {
    ...{ name: 'Greeting', slug: 'greeting', virtual_key: 'prod', parameters: {} },
    string: '[{"role":"user","content":"hi"}]',
  };
  expect(await callControl(gateway, 'POST /prompts', { body: prompt })).toMatchObject({ status: 200 });
  const { status, text } = await callControl(gateway, 'GET /config-facts');
  expect(status).toBe(200);
  expect(text).not.toContain(credential);
  const { catalogue, saved }: Facts = JSON.parse(text);
  expect(Object.keys(saved.virtualKeys)).toContain('prod');
  const editor = createEditor({ catalogue, schemas, saved, trust: 'saved' });
  const configs: readonly JsonObject[] = [
    { virtual_key: 'prod' },
    { virtual_key: 'prodd' },
    { provider: 'opnai', api_key: 'k' },
    { prompt_id: 'greeting' },
    { prompt_id: 'greting' },
    { provider: 'openai', api_key: `\${env:K}` },
    { strategy: { mode: 'fallback' }, targets: [{ virtual_key: 'prod' }, { provider: 'openai', api_key: 'k' }] },
    { provider: 'openai', api_key: 'k', retry: { attempts: 9 } },
  ];
  for (const config of configs) {
    editor.open('config.json', JSON.stringify(config));
    const { diagnostics, plan, unanswered } = editor.findings('config.json');
    const tried = await callControl(gateway, 'POST /configs?dry_run=true', { body: { name: 'x', config } });
    const answer: Tried = JSON.parse(tried.text);
    expect(unanswered).toEqual([]);
    expect(
      diagnostics.map(({ code, pointer }) => ({ code, pointer: `/config${pointer}` })),
      JSON.stringify(config),
    ).toEqual(answer.diagnostics.map(({ code, pointer }) => ({ code, pointer })));
    expect(plan === undefined).toBe(diagnostics.some(({ severity }) => severity === 'error'));
  }
});

it('requires the scope to read configs for the facts of configs', async () => {
  const gateway = await serveStore();
  const body = { name: 'Reader', scopes: ['logs.list'] };
  const made = await callControl(gateway, 'POST /api-keys/workspace/service', { body });
  const { status, text } = await callControl(gateway, 'GET /config-facts', { key: made.body.key ?? '' });
  expect(status).toBe(403);
  expect(text).toContain('configs.read');
});
