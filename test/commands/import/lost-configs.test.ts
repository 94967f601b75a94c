import { describe, expect, it } from 'vitest';
import { runGw } from '../../support/run-gw.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const targets = [
  { provider: 'openai', api_key: 'sk-a' },
  { provider: 'anthropic', api_key: 'sk-b' },
];
/** Its mode is misspelt, and what else it says stays when the mode is left out. */
const misspelt = { strategy: { mode: 'loadbalence' }, cache: { mode: 'simple' }, retry: { attempts: 3 }, targets };
const whole = { strategy: { mode: 'fallback' }, targets };

const importing = (files: Readonly<Record<string, object>>, ...more: readonly string[]) =>
  runGw(temporaryFolder(files), ['import', 'portkey', ...Object.keys(files), ...more]);

describe('gw import of a config of which no target is left', () => {
  it('makes none, and asks for what the note says', async () => {
    const { code, out, err } = await importing({ 'chat.json': misspelt }, '--out', 'made');
    expect({ code, err }).toEqual({
      code: 2,
      err: 'gw: Nothing in chat.json could be imported. Correct what the notes say, and import it again.\n',
    });
    expect(out.match(/^chat\.json:.*$/gm)).toEqual([
      expect.stringContaining('"mode" cannot be "loadbalence". (config.strategy.mode) Did you mean "loadbalance"?'),
    ]);
  });

  it('names it beside another one, with the exit code 1', async () => {
    const { code, out, err } = await importing({ 'chat.json': misspelt, 'other.json': whole });
    expect({ code, err }).toEqual({
      code: 1,
      err: 'gw: A config is left out: "chat". Correct what the notes say, and import the file again into another folder.\n',
    });
    expect(out).toContain('1 config, 1 of 2 configs left out,');
    expect(out).not.toContain('configs/chat.json');
  });

  it('saves nothing that it alone names, and says nothing of it', async () => {
    const saved = (name: string) => ({ virtual_key: name, override_params: { model: 'm' } });
    const lost = { strategy: { mode: 'falback' }, targets: [saved('openai-prod'), saved('groq-both')] };
    const kept = { strategy: { mode: 'fallback' }, targets: [saved('groq-both'), { provider: '@anthropic-prod' }] };
    const { code, out } = await importing({ 'chat.json': lost, 'other.json': kept }, '--format', 'json');
    expect(code).toBe(1);
    const { files, losses, variables } = JSON.parse(out);
    expect(Object.keys(files)).toEqual(['gateway.json', 'configs/other.json', '.env.example']);
    const { providers, virtual_keys } = JSON.parse(files['gateway.json']);
    expect([Object.keys(virtual_keys), Object.keys(providers)]).toEqual([['groq-both'], ['anthropic-prod']]);
    expect(variables).toEqual(['GROQ_BOTH_API_KEY', 'ANTHROPIC_PROD_API_KEY']);
    expect(files['.env.example']).not.toContain('OPENAI');
    expect(losses.filter(({ why }: { why: string }) => why.includes('is saved in the other gateway'))).toHaveLength(2);
  });

  it('leaves one that had none as it is', async () => {
    const { code, out } = await importing({ 'base.json': { strategy: { mode: 'single' }, cache: { mode: 'simple' } } });
    expect(code).not.toBe(1);
    expect(out).not.toContain('left out');
  });

  it('says that a misspelt setting is to be corrected in the file', async () => {
    const target = { ...targets[1], overide_params: { model: 'claude-sonnet-5' } };
    const { code, out } = await importing({ 'chat.json': { ...whole, targets: [targets[0], target] } });
    expect(code).toBe(0);
    expect(out).toContain(
      '1 note above on what does not carry over. Where a note asks what was meant, correct the file, and import it again into another folder.',
    );
  });
});
