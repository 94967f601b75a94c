import { describe, expect, it } from 'vitest';
import { runGw } from '../../support/run-gw.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { deployment } from './support.ts';

/** What is printed of an import, and what `gw check` says of what was made. */
const printed = async (source: object) => {
  const folder = temporaryFolder({ 'source.json': source });
  const { out } = await runGw(folder, ['import', 'litellm', 'source.json', '--out', 'out']);
  const checked = await runGw(folder, ['check', 'out/configs', '--config', 'out/gateway.json']);
  return { lines: out.split('\n').slice(0, -1), checked };
};

describe('notes of gw import litellm', () => {
  it('are said once with all their lines', async () => {
    const tagged = (name: string) => deployment(name, { model: `openai/${name}`, tags: ['free'] });
    const { lines } = await printed({ model_list: [tagged('a'), tagged('b'), tagged('c')] });
    expect(lines.filter((line) => line.includes('by tags of the request'))).toEqual([
      expect.stringMatching(/^source\.json:\d+ \(and lines \d+, \d+\) A target is not chosen/),
    ]);
    expect(lines.at(-1)).toContain('3 configs, 1 note on what does not carry over.');
  });

  it('are followed by how much gw check warns of', async () => {
    const { lines, checked } = await printed({
      model_list: [
        deployment('chat', { model: 'openai/a', weight: 7 }),
        deployment('chat', { model: 'openai/b', rpm: 100 }),
      ],
    });
    expect(lines.at(-1)).toContain(' carry over. gw check has 1 warning for what was made.');
    expect([checked.code, checked.out.match(/zero-weight/g)?.length, checked.out.match(/warning\[/g)?.length]).toEqual([
      0, 1, 1,
    ]);
  });

  it('warn of no deployment without a share that retries ask', async () => {
    const { lines, checked } = await printed({
      model_list: ['a', 'b', 'c'].map((model, index) =>
        deployment('chat', { model: `openai/${model}`, ...(index === 0 ? { rpm: 600 } : { tpm: 9 }) }),
      ),
      router_settings: { num_retries: 2 },
    });
    expect(lines.at(-1)).not.toContain('warning');
    expect(checked).toMatchObject({ code: 0, out: '1 file, nothing to report.\n' });
  });

  it('count no warning of an own host, which the gateway file that was made trusts', async () => {
    const at = (port: number): object =>
      deployment('own', { model: 'hosted_vllm/a', api_base: `http://10.9.8.7:${port}/v1` });
    const { lines, checked } = await printed({ model_list: [at(9101), at(9102)] });
    expect(lines.at(-1)).not.toContain('warning');
    expect(checked).toMatchObject({ code: 0, out: '1 file, nothing to report.\n' });
  });

  it('count a target that the compiler refuses among those that are left out, once', async () => {
    const at = (model: string, api_base: string) => deployment('chat', { model: `openai/${model}`, api_base });
    const { lines } = await printed({
      model_list: [at('a', 'https://a.example/v1'), at('b', 'no address')],
      router_settings: { num_retries: 1 },
    });
    expect(lines.at(-1)).toContain('1 config, 1 target left out, ');
  });
});
