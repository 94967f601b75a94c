import { describe, expect, it } from 'vitest';
import { runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { deployment, imported } from './support.ts';

/** The output of an import, and the result of `gw check` for the created files. */
const printed = async (source: object) => {
  const folder = temporaryFolder({ 'source.json': source });
  const { out } = await runGw(folder, ['import', 'litellm', 'source.json', '--out', 'out']);
  const checked = await runGw(folder, ['check', 'out/configs', '--config', 'out/gateway.json']);
  return { lines: out.split('\n').slice(0, -1), checked };
};

describe('notes of gw import litellm', () => {
  it('appear once with all their lines', async () => {
    const tagged = (name: string) => deployment(name, { model: `openai/${name}`, tags: ['free'] });
    const { lines } = await printed({ model_list: [tagged('a'), tagged('b'), tagged('c')] });
    expect(lines.filter((line) => line.includes('by tags of the request'))).toEqual([
      expect.stringMatching(/^source\.json:\d+ \(and lines \d+, \d+\) A target is not chosen/),
    ]);
    expect(lines.at(-1)).toContain('3 configs, 1 note on what does not carry over.');
  });

  it('are followed by the number of warnings that gw check reports', async () => {
    const { lines, checked } = await printed({
      model_list: [
        deployment('chat', { model: 'openai/a', weight: 7 }),
        deployment('chat', { model: 'openai/b', rpm: 100 }),
      ],
    });
    expect(lines.at(-1)).toMatch(/ carry over\. .*gw check has 1 warning for the result\.$/);
    expect([checked.code, checked.out.match(/zero-weight/g)?.length, checked.out.match(/warning\[/g)?.length]).toEqual([
      0, 1, 1,
    ]);
  });

  it('contain no warning about a deployment without a share if retries call it', async () => {
    const { lines, checked } = await printed({
      model_list: ['a', 'b', 'c'].map((model, index) =>
        deployment('chat', { model: `openai/${model}`, ...(index === 0 ? { rpm: 600 } : { tpm: 9 }) }),
      ),
      router_settings: { num_retries: 2 },
    });
    expect(lines.at(-1)).not.toContain('warning');
    expect(checked).toMatchObject({ code: 0, out: '1 file, nothing to report.\n' });
  });

  it('contain no warning about a private host, which the created gateway file trusts', async () => {
    const at = (port: number): object =>
      deployment('own', { model: 'hosted_vllm/a', api_base: `http://10.9.8.7:${port}/v1` });
    const { lines, checked } = await printed({ model_list: [at(9101), at(9102)] });
    expect(lines.at(-1)).not.toContain('warning');
    expect(checked).toMatchObject({ code: 0, out: '1 file, nothing to report.\n' });
  });

  it('count a target that the compiler rejects once, among those left out', async () => {
    const at = (model: string, api_base: string) => deployment('chat', { model: `openai/${model}`, api_base });
    const { lines } = await printed({
      model_list: [at('a', 'https://a.example/v1'), at('b', 'no address')],
      router_settings: { num_retries: 1 },
    });
    expect(lines.at(-1)).toContain('1 config, 1 target left out, ');
  });

  it('name each setting in litellm_settings that is not a number, like those of the router', async () => {
    const stated = { num_retries: '3', request_timeout: 'os.environ/SECONDS', allowed_fails: '5', cooldown_time: '60' };
    const { losses } = await imported('litellm', {
      model_list: [deployment('a', { model: 'openai/a' })],
      litellm_settings: stated,
    });
    expect(losses.map(({ place }) => place)).toEqual(Object.keys(stated).map((name) => `/litellm_settings/${name}`));
  });

  it('report more retries or a shorter cooldown than a config can have', async () => {
    const { losses } = await imported('litellm', {
      model_list: [deployment('a', { model: 'openai/a', max_retries: 7 })],
      litellm_settings: { num_retries: 9, cooldown_time: 5, allowed_fails: 1 },
    });
    expect(losses.map(({ place, why }) => [place, why])).toEqual([
      ['/model_list/0/litellm_params/max_retries', 'A target is retried at most 5 times.'],
      ['/litellm_settings/num_retries', 'A target is retried at most 5 times.'],
      ['/litellm_settings/cooldown_time', 'A circuit stays open for at least 30 seconds.'],
    ]);
  });

  it('report once for each model which parameters now override the request', async () => {
    const { lines } = await printed({
      model_list: [
        deployment('chat', { model: 'openai/a', temperature: 0 }),
        deployment('chat', { model: 'openai/b', temperature: 1, max_tokens: 9 }),
        deployment('other', { model: 'openai/c', max_tokens: 9 }),
        deployment('plain', { model: 'openai/d' }),
      ],
    });
    expect(lines.filter((line) => line.includes('"override_params" takes precedence'))).toEqual([
      expect.stringContaining('"temperature" and "max_tokens" of "chat" are defaults in LiteLLM'),
      expect.stringContaining('"max_tokens" of "other" is a default in LiteLLM'),
    ]);
    expect(lines.join('\n')).toContain('If clients set them, remove them from "override_params" in the config.');
  });

  it.each([
    ['router_settings', 'num_retires', 'num_retries'],
    ['litellm_settings', 'sucess_callback', 'success_callback'],
    ['general_settings', 'master_kye', 'master_key'],
    ['', 'guardrial', 'guardrails'],
  ])('suggest the right name for a misspelt member of %j', async (section, written, meant) => {
    const more = section === '' ? { [written]: [] } : { [section]: { [written]: 3 } };
    const { lines } = await printed({ model_list: [deployment('a', { model: 'openai/a' })], ...more });
    expect(lines.filter((line) => line.includes(`"${written}"`))).toEqual([
      expect.stringContaining(
        `has no counterpart. Did you mean "${meant}"? Then correct it, and import the file again`,
      ),
    ]);
  });

  it('suggest the right names for misspelt members of a deployment, but not for other LiteLLM members', async () => {
    const { lines } = await printed({
      model_list: [
        deployment('a', { model: 'openai/a', api_bsae: 'https://a.example/v1', top_k: 3 }, { model_inof: {} }),
      ],
      router_settings: { disable_cooldowns: true },
    });
    const asked = lines.filter((line) => line.includes('Did you mean'));
    expect(asked).toEqual([
      expect.stringContaining('"api_bsae" has no counterpart in a target. Did you mean "api_base"?'),
      expect.stringContaining('"model_inof" has no counterpart in a model. Did you mean "model_info"?'),
    ]);
    expect(lines.join('\n')).toContain('"disable_cooldowns" of router_settings has no counterpart. Remove it;');
  });

  it.each([
    ['"model_list" must be a list.', { model_list: { a: deployment('a', { model: 'openai/a' }) } }],
    ['"litellm_settings" must be an object.', { litellm_settings: ['drop_params'] }],
  ] as readonly (readonly [string, object])[])('report a member of the wrong type: %s', async (said, source) => {
    const folder = temporaryFolder({
      'source.json': { model_list: [deployment('b', { model: 'openai/b' })], ...source },
    });
    const { out, err } = await runGw(folder, ['import', 'litellm', 'source.json', '--out', 'out']);
    expect(`${out}${err}`).toContain(`${said} Correct it, and import the file again.`);
  });

  it('report only that the parameters of a model are misspelt, and not that it has no provider', async () => {
    const folder = temporaryFolder({
      'source.json': {
        model_list: [
          { model_name: 'chat', litellm_param: { model: 'openai/a' } },
          { model_name: 'openai/*', litellm_parms: { model: 'openai/*' } },
          { model_name: 'typo', litellm_params: { modle: 'openai/a' } },
        ],
      },
    });
    const { code, out } = await runGw(folder, ['import', 'litellm', 'source.json']);
    expect(code).toBe(1);
    const correct = 'Correct it, and import the file again into another folder. Until then,';
    expect(out.trim().split('\n')).toEqual([
      expect.stringMatching(
        `The model has no "litellm_params", but "litellm_param"\\. Did you mean "litellm_params"\\? ${correct} "chat" is not a config\\.$`,
      ),
      expect.stringContaining('The model has no "litellm_params", but "litellm_parms".'),
      expect.stringMatching(`The deployment has no model, but a "modle"\\. Did you mean "model"\\? ${correct} "typo"`),
    ]);
  });

  it('report parameters that are not an object', async () => {
    const { losses } = await imported('litellm', {
      model_list: [
        { model_name: 'text', litellm_params: 'openai/a' },
        { model_name: 'list', litellm_params: [] },
        deployment('good', { model: 'openai/a' }),
      ],
    });
    expect(losses.map(({ place, why }) => [place, why])).toEqual(
      [0, 1].map((at) => [`/model_list/${at}/litellm_params`, 'The "litellm_params" of the model are not an object.']),
    );
  });

  it('name the misspelt member of a model without a name, and count the model as left out', async () => {
    const folder = temporaryFolder({
      'source.json': {
        model_list: [
          { model_nme: 'chat', litellm_params: { model: 'openai/a' } },
          { litellm_params: { model: 'openai/b' } },
          { model_name: 'typo', litellm_params: { modle: 'openai/a' } },
          deployment('good', { model: 'openai/c' }),
        ],
      },
    });
    const { code, out, err } = await runGw(folder, ['import', 'litellm', 'source.json', '--out', 'out']);
    expect(code).toBe(1);
    expect(out).toContain('The model has no name, but a "model_nme". Did you mean "model_name"? Correct it,');
    expect(out).toContain('The model has no name. Give it a "model_name"');
    expect(out).toContain('The deployment has no model, but a "modle". Did you mean "model"? Correct it,');
    expect(out).toContain('1 config, 3 of 4 models and 3 targets left out, 3 notes');
    expect(err).toContain(
      '3 models are left out, and clients cannot request them: "chat", "number 2 of model_list", "typo".',
    );
  });

  it('appear between the files and a last line that counts them and explains how to write the files', async () => {
    const source = { model_list: [deployment('a', { model: 'openai/a', tags: ['free'] })] };
    const folder = temporaryFolder({ 'source.json': source });
    const { out } = await runGw(folder, ['import', 'litellm', 'source.json']);
    const lines = out.split('\n').slice(0, -1);
    expect(lines.at(-2)).toMatch(/^source\.json:\d+ /);
    expect(lines.at(-1)).toBe(
      '1 config, 1 note above on what does not carry over. The pages that notes name are in the package: node_modules/gatewright/. --out FOLDER writes the files instead of printing them.',
    );
    const written = await runGw(folder, ['import', 'litellm', 'source.json', '--out', 'out']);
    expect(written.out).not.toContain('--out');
  });
});
