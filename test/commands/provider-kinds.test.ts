import { describe, expect, it } from 'vitest';
import { builtinProviders } from '../../plugins/providers/builtin-providers.ts';
import { providerFacts } from '../../plugins/sdk/provider/provider-facts.ts';
import { toTexts } from '../../schema/json/loose.ts';
import { providerHint } from '../../schema/text/provider-hint.ts';
import { runGw } from '../support/commands/run-gw.ts';
import { temporaryFolder } from '../support/commands/temporary-folder.ts';
import { acmePlugin } from '../support/plugins/acme-plugin.ts';

const kinds = (argv: readonly string[] = [], files: Parameters<typeof temporaryFolder>[0] = {}) =>
  runGw(temporaryFolder(files), ['providers', 'kinds', ...argv]);

const all = providerHint([]);

describe('gw providers kinds', () => {
  it('lists every provider in one line, without a gateway', async () => {
    const { code, out } = await kinds();
    expect(code).toBe(0);
    const [head = '', ...lines] = out.trimEnd().split('\n');
    expect(head.split(/ {2,}/)).toEqual(['ID', 'CREDENTIAL', 'ADDRESS', 'OPERATIONS']);
    expect(lines.map((line) => line.split(' ', 1)[0])).toEqual(builtinProviders.map(({ id }) => id));
  });

  it('abbreviates a long list of operations with a count', async () => {
    const { out } = await kinds();
    const { operations: known } = providerFacts(
      builtinProviders.find(({ id }) => id === 'openai') ?? expect.unreachable(),
    );
    const operations = toTexts(known);
    const [first, second, third, ...others] = operations;
    expect(out).toMatch(new RegExp(`^openai .*  ${first}, ${second}, ${third} and ${others.length} more$`, 'm'));
    expect(Math.max(...out.split('\n').map(({ length }) => length))).toBeLessThan(160);
    expect((await kinds(['openai'])).out).toContain(operations.join(', '));
  });

  it('prints all facts as JSON', async () => {
    const { code, out } = await kinds(['--format', 'json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({ data: builtinProviders.map(providerFacts) });
  });

  it.each(['xai', 'x-ai', 'grok'])('shows the facts about one provider, by any of its names (%s)', async (name) => {
    const { code, out } = await kinds([name]);
    expect(code).toBe(0);
    expect(out).toMatch(/^id +x-ai$/m);
    expect(out).toMatch(/^drop +stop, presence_penalty, frequency_penalty$/m);
  });

  it('omits the documentation if there is none', async () => {
    const { code, out } = await kinds(['echo']);
    expect({ code, out }).toMatchObject({ code: 0, out: expect.not.stringContaining('documentation') });
  });

  it('lists the providers of plugins in the gateway file', async () => {
    const files = { 'acme.js': acmePlugin, 'gateway.json': { plugins: [{ package: './acme.js' }] } };
    expect((await kinds([], files)).out).toContain('\nacme-cloud ');
  });

  it.each([
    [['togeter-ai'], `gw: There is no provider "togeter-ai". Did you mean "together-ai"? ${all}\n`],
    [['vertex'], `gw: There is no provider "vertex". Did you mean "vertex-ai"? ${all}\n`],
    [['azure'], `gw: There is no provider "azure". Did you mean "azure-ai" or "azure-openai"? ${all}\n`],
    [['zzzzzzzzz'], `gw: There is no provider "zzzzzzzzz". ${all}\n`],
    [['--format', 'xml'], 'gw: The flag --format cannot be "xml". Use table or json.\n'],
  ])('rejects %j with advice', async (argv, message) => {
    expect(await kinds(argv)).toMatchObject({ code: 2, out: '', err: message });
  });

  it('rejects a gateway file with errors', async () => {
    const { code, err } = await kinds(['--config', 'gateway.json'], { 'gateway.json': { prot: 1 } });
    expect({ code, err }).toEqual({
      code: 2,
      err: 'gw: The gateway file gateway.json has errors. Find them with gw check --config gateway.json.\n',
    });
  });
});
