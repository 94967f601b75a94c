import { expect, it } from 'vitest';
import { checkPrices } from '../../../compiler/gateway-file-checks/check-prices.ts';
import { runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { testCatalogue } from '../../support/plans/catalogue.ts';

const price = { input: 1, output: 2 };

it('checkPrices reports nothing for prices of known providers', () => {
  expect(checkPrices({ prices: { openai: { 'gpt-4o': price, '*': price }, echo: {} } }, testCatalogue)).toEqual([]);
});

const runCheck = async (file: string): Promise<string> => {
  const cwd = temporaryFolder({ 'only.json': { provider: 'echo' }, 'gateway.json': file });
  const { out, err, code } = await runGw(cwd, ['check', 'only.json']);
  expect(code).toBe(1);
  return out + err;
};

it('gw check shows the place of a provider in "prices" that is unknown or has another id', async () => {
  const text = await runCheck(`{
  "prices": {
    "opnai": { "*": { "input": 1, "output": 1 } },
    "llmv": { "*": { "input": 1, "output": 1 } }
  }
}`);
  expect(text).toMatch(/There is no provider "opnai".*gateway\.json:3.*Did you mean "openai"/s);
  expect(text).toMatch(/"llmv" is another name of "openai".*gateway\.json:4.*write "openai"/s);
});

it('checkPrices names the provider of a saved slug', () => {
  const providers = { acme: { provider: 'openai' } };
  expect(checkPrices({ prices: { acme: { '*': price } }, providers }, testCatalogue)).toMatchObject([
    { pointer: '/prices/acme', hint: 'Prices apply to everything that is saved for a provider: write "openai".' },
  ]);
});

it.each([['{ "input": -1, "output": 1 }'], ['{ "input": 1 }'], ['{ "input": 1, "output": 1, "cached": 1 }']])(
  'gw check shows the place of an invalid price: %s',
  async (wrong) => {
    expect(await runCheck(`{\n  "prices": {\n    "openai": { "gpt-4o": ${wrong} }\n  }\n}`)).toContain(
      'gateway.json:3',
    );
  },
);
