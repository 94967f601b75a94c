import { describe, expect, it } from 'vitest';
import { explainCode } from '../../../compiler/cli/explain/explain-code.ts';
import { diagnosticTable } from '../../../compiler/diagnostics/table.ts';
import { errorTable } from '../../../schema/errors/errors.ts';
import { type GwRun, runGw } from '../../support/run-gw.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const files = { 'a.json': { provider: 'opnai', api_key: '${env:KEY}' }, 'b.json': { provider: 'echo' } };

const run = (...argv: readonly string[]): Promise<GwRun> => runGw(temporaryFolder(files), argv);

describe('gw explain --code', () => {
  it('says cause and remedy of a diagnostic, with a wrong and a right config', async () => {
    const { code, out } = await run('explain', '--code', 'zero-weight');
    expect(code).toBe(0);
    expect(out).toBe(`warning[zero-weight]: A target with weight 0 is never chosen.

cause   A weight of 0 takes a target out of the balance for good.
remedy  Give it a weight above 0, or remove the target.
hint    Give it a weight above 0, or remove it.

wrong
  {
    "strategy": { "mode": "loadbalance" },
    "targets": [
      { "provider": "@openai-prod", "weight": 0 },
      { "provider": "@azure-prod" }
    ]
  }

right
  {
    "strategy": { "mode": "loadbalance" },
    "targets": [
      { "provider": "@openai-prod", "weight": 1 },
      { "provider": "@azure-prod", "weight": 1 }
    ]
  }
`);
  });

  it('says what an answer of the gateway with the code means, and both where both have it', async () => {
    expect(
      (await run('explain', '--code', 'missing-credential')).out,
    ).toBe(`answer 401 authentication_error [missing-credential]: The provider … needs a credential, and this target has none.

cause   The caller can correct it. Another target may serve the request: a fallback can go on.
remedy  Send Authorization: Bearer …, or give the target an api_key.
`);
    const both = (await run('explain', '--code', 'missing-base-url')).out;
    expect(both).toContain('warning[missing-base-url]');
    expect(both).toContain('answer 400 invalid_request_error [missing-base-url]');
  });

  it('knows every code of both tables, in a page of bounded size', () => {
    for (const code of [...Object.keys(diagnosticTable), ...Object.keys(errorTable)]) {
      const page = explainCode(code);
      expect(page).toContain(`[${code}]`);
      const [words = ''] = page.split('\nwrong\n');
      expect(words).not.toMatch(/undefined|(?<!\$)\{[a-zA-Z]+\}/);
      expect(page.length).toBeLessThan(6000);
    }
  });

  it('is one JSON document for programs', async () => {
    const { out } = await run('explain', '--code', 'missing-base-url', '--format', 'json');
    expect(JSON.parse(out)).toMatchObject({
      code: 'missing-base-url',
      diagnostic: { severity: 'warning', cause: expect.any(String), wrong: expect.stringContaining('azure-openai') },
      error: { status: 400, fault: 'caller' },
    });
  });

  it('suggests the code that was meant, and takes no file', async () => {
    expect(await run('explain', '--code', 'zero-wieght')).toMatchObject({
      code: 2,
      err: 'gw: There is no code "zero-wieght". Did you mean "zero-weight"?\n',
    });
    expect(await run('explain', '--code', '__proto__')).toMatchObject({ code: 2, out: '' });
    expect(await run('explain', 'b.json', '--code', 'zero-weight')).toMatchObject({ code: 2, out: '' });
  });

  it('is named where gw check has found something', async () => {
    const more = '\ngw explain --code CODE says more of a code.\n';
    expect((await run('check', 'a.json')).out.endsWith(more)).toBe(true);
    expect((await run('check', 'b.json')).out).toBe('1 file, nothing to report.\n');
  });
});
