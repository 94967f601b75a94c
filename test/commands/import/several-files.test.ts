import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { counterpartOf } from '../../../compiler/cli/import/draft/check-counterparts.ts';
import { builtinGuardrails } from '../../../plugins/guardrails/builtin-guardrails.ts';
import { runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';

const saved = (name: string, more: object = {}): object => ({ virtual_key: name, ...more });

describe('gw import for several files', () => {
  it('creates a config for each file, and one gateway file with what they share', async () => {
    const folder = temporaryFolder({
      'prod.json': saved('openai-prod'),
      'test.json': { strategy: { mode: 'fallback' }, targets: [saved('openai-prod'), saved('groq-test')] },
    });
    const { out, err } = await runGw(folder, ['import', 'portkey', 'prod.json', 'test.json', '--format', 'json']);
    expect(err).toBe('');
    const { files, losses } = JSON.parse(out);
    expect(Object.keys(files)).toEqual(['gateway.json', 'configs/prod.json', 'configs/test.json', '.env.example']);
    const gateway = JSON.parse(files['gateway.json']);
    expect(Object.keys(gateway.virtual_keys)).toEqual(['openai-prod', 'groq-test']);
    expect(gateway).not.toHaveProperty('default_config');
    expect(losses).toEqual([
      expect.objectContaining({ file: 'prod.json', why: expect.stringContaining('"openai-prod"') }),
      expect.objectContaining({ file: 'test.json', why: expect.stringContaining('"groq-test"') }),
    ]);
    await runGw(folder, ['import', 'portkey', 'prod.json', 'test.json', '--out', 'out']);
    expect(await runGw(path.join(folder, 'out'), ['check', 'configs', '--config', 'gateway.json'])).toMatchObject({
      code: 0,
    });
  });

  it('keeps the models of all LiteLLM files', async () => {
    const file = (name: string): object => ({
      model_list: [{ model_name: name, litellm_params: { model: `openai/${name}`, api_key: 'os.environ/KEY' } }],
    });
    const folder = temporaryFolder({ 'a.json': file('one'), 'b.json': file('two') });
    const { out } = await runGw(folder, ['import', 'litellm', 'a.json', 'b.json', '--format', 'json']);
    expect(JSON.parse(JSON.parse(out).files['gateway.json'])).toMatchObject({
      models: { one: 'config:one', two: 'config:two' },
    });
  });

  it('lists and counts notes about checks first, and says where the pages are', async () => {
    const folder = temporaryFolder({
      'a.json': saved('openai-prod', { cache: { mode: 'simple' }, input_guardrails: ['guard-1'] }),
      'b.json': saved('groq-b', { before_request_hooks: [{ id: 'x', checks: [{ id: 'portkey.pii' }] }] }),
    });
    const { out } = await runGw(folder, ['import', 'portkey', 'a.json', 'b.json']);
    const notes = out.split('\n').filter((line) => /^[ab]\.json:/.test(line));
    expect(notes.map((line) => line.slice(0, 2))).toEqual(['a.', 'b.', 'a.', 'b.']);
    expect(notes.slice(0, 2)).toEqual([expect.stringContaining('guard-1'), expect.stringContaining('portkey.pii')]);
    expect(out).toContain('4 notes above on what does not carry over. The first 2 say what is not checked now.');
    expect(out).toContain('in the package: node_modules/gatewright/.');
    expect(out).toContain('# Copy this file to .env');
  });

  it('imports nothing if one file cannot be read', async () => {
    const folder = temporaryFolder({ 'a.json': saved('openai-prod') });
    const { code, err } = await runGw(folder, ['import', 'portkey', 'a.json', 'none.json', '--out', 'out']);
    expect([code, err]).toEqual([2, expect.stringContaining('There is no file "none.json".')]);
  });

  const checks = [
    'acuvity',
    'azure/prompt_shield',
    'azure/text_moderations',
    'bedrock',
    'javelin',
    'lakera_v2',
    'pangea',
  ];
  const words = ['panw_prisma_airs', 'pii', 'hide-secrets', 'prompt_injection', 'openai_moderation', 'tool_permission'];
  it.each([...checks, ...words])('suggests an existing check as the counterpart of %s', (name) => {
    expect(builtinGuardrails.map(({ id }) => id)).toContain(counterpartOf(name));
  });
});
