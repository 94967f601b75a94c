import { describe, expect, it } from 'vitest';
import { runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { deployment } from './support.ts';

const model = 'openai/gpt-5.4';

/** Imports deployments of LiteLLM, and returns the notes, the gateway file, and the errors that `gw check` finds in the result. */
const importing = async (deployments: readonly object[], more: object = {}) => {
  const folder = temporaryFolder({ 'config.yaml': JSON.stringify({ model_list: deployments, ...more }, undefined, 1) });
  const { code, out, err } = await runGw(folder, ['import', 'litellm', 'config.yaml', '--format', 'json']);
  const { files, losses } = JSON.parse(out);
  const made = temporaryFolder(files);
  const checked = await runGw(made, ['check', '--config', 'gateway.json', '--format', 'json']);
  const notes = losses.map(({ place, why }: { readonly place: string; readonly why: string }) => ({ place, why }));
  return { code, err, notes, gateway: JSON.parse(files['gateway.json']), errors: JSON.parse(checked.out).errors };
};

describe('gw import for names that no virtual model can have', () => {
  it.each([
    ['@team/fast', 'begins with "@", as a model of a saved provider does'],
    ['fast\u0007', 'has a control character or one that cannot be seen'],
    ['m'.repeat(201), 'has 201 characters'],
  ])('leaves out the virtual model: %j', async (name, why) => {
    const { code, err, notes, gateway, errors } = await importing([
      deployment('good', { model }),
      deployment(name, { model }),
    ]);
    expect({ code, errors, models: gateway.models }).toEqual({ code: 1, errors: 0, models: { good: 'config:good' } });
    expect(notes).toEqual([{ place: '/model_list/1', why: `The name of a virtual model ${why}. ("${name}")` }]);
    expect(err).toContain('A model is left out, and clients cannot request it');
  });

  it('leaves out the second of two names that differ only in case', async () => {
    const { notes, gateway, errors } = await importing([
      deployment('fast', { model }),
      deployment('FAST', { model: 'openai/gpt-5.4-mini' }),
    ]);
    expect({ errors, models: gateway.models }).toEqual({ errors: 0, models: { fast: 'config:fast' } });
    expect(notes).toEqual([
      { place: '/model_list/1', why: 'The virtual models "fast" and "FAST" differ only in case. ("FAST")' },
    ]);
  });

  it('leaves out those that are too many', async () => {
    const aliases = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`alias-${index}`, 'good']));
    const { notes, gateway, errors } = await importing([deployment('good', { model })], {
      router_settings: { model_group_alias: aliases },
    });
    expect({ errors, count: Object.keys(gateway.models).length }).toEqual({ errors: 0, count: 1000 });
    expect(notes).toEqual([{ place: '', why: 'There are 1001 virtual models, but at most 1000 are allowed.' }]);
  });

  it('leaves out an alias', async () => {
    const { code, notes, gateway, errors } = await importing([deployment('good', { model })], {
      router_settings: { model_group_alias: { '@alias': 'good' } },
    });
    expect({ code, errors, models: gateway.models }).toEqual({ code: 0, errors: 0, models: { good: 'config:good' } });
    expect(notes).toEqual([
      { place: '/router_settings/model_group_alias', why: expect.stringContaining('("@alias")') },
    ]);
  });
});

describe('gw import for saved providers that cannot be called', () => {
  it.each([
    [{ api_base: 'ftp://models.example.com' }, 'it does not begin with http:// or https://'],
    [{ api_base: 'https://user:hunter2@models.example.com/v1' }, 'it contains credentials'],
  ])('leaves out the provider and its target: %j', async (place, why) => {
    const { notes, gateway, errors } = await importing([
      deployment('chat', { model, rpm: 4, ...place }),
      deployment('chat', { model, rpm: 5 }),
    ]);
    expect({ errors, providers: Object.keys(gateway.providers) }).toEqual({ errors: 0, providers: ['chat-2'] });
    expect(notes).toContainEqual({
      place: '/model_list/0',
      why: `This is not a valid base URL: ${why}. (config.targets[0].provider)`,
    });
    expect(JSON.stringify(gateway)).not.toContain('hunter2');
  });

  it('leaves out a region that is not the name of one', async () => {
    const claude = 'bedrock/eu.anthropic.claude-sonnet-4-5-20250929-v1:0';
    const { notes, gateway, errors } = await importing([
      deployment('chat', { model: claude, rpm: 4, aws_region_name: '../x' }),
      deployment('chat', { model: claude, rpm: 5, aws_region_name: 'eu-west-1' }),
    ]);
    expect({ errors, providers: Object.keys(gateway.providers) }).toEqual({ errors: 0, providers: ['chat-2'] });
    expect(notes).toContainEqual({
      place: '/model_list/0',
      why: expect.stringContaining('must be the name of a region'),
    });
  });

  it('leaves out the provider of a wildcard', async () => {
    const { notes, gateway, errors } = await importing([
      deployment('chat', { model }),
      deployment('openai/*', { model: 'openai/*', api_base: 'gopher://models.example.com' }),
    ]);
    expect({ errors, providers: gateway.providers }).toEqual({ errors: 0, providers: undefined });
    expect(notes).toContainEqual({ place: '/model_list/1', why: expect.stringContaining('not a valid base URL') });
  });
});
