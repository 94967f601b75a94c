import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { explainCode, planeTexts } from '../../../compiler/cli/explain/error-codes/explain-code.ts';
import { diagnosticTable } from '../../../compiler/diagnostics/table.ts';
import { commandTree } from '../../../gw/commands.ts';
import type { CommandTree } from '../../../schema/command-help/command-spec.ts';
import { errorTable } from '../../../schema/errors/errors.ts';
import { causeExplanations } from '../../../schema/errors/explanations/cause-explanations.ts';
import { errorExplanations } from '../../../schema/errors/explanations/explanations.ts';
import { findingExplanations } from '../../../schema/errors/explanations/finding-explanations.ts';
import { type GwRun, runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';

const files = { 'a.json': { provider: 'opnai', api_key: '${env:KEY}' }, 'b.json': { provider: 'echo' } };

const run = (...argv: readonly string[]): Promise<GwRun> => runGw(temporaryFolder(files), argv);

describe('gw explain --code', () => {
  it('lists the errors that share a code of the control plane', async () => {
    const { code, out } = await run('explain', '--code', 'AB07');
    expect(code).toBe(0);
    expect(out).toMatch(/^answer 409 \[AB07\] of the control plane: /);
    expect(out).toContain('\n  idempotency-conflict: The idempotency-key of this request was already sent');
    const json = JSON.parse((await run('explain', '--code', 'AB07', '--format', 'json')).out);
    expect(json).toMatchObject({ code: 'AB07', error: null, errors: ['conflict', 'idempotency-conflict'] });
  });

  it('shows the cause and remedy of a diagnostic, with a wrong and a right config', async () => {
    const { code, out } = await run('explain', '--code', 'zero-weight');
    expect(code).toBe(0);
    expect(out).toBe(`warning[zero-weight]: A target with weight 0 is never chosen.

cause   A target with a weight of 0 is never chosen.
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

  it('explains an answer of the gateway with the code, and a diagnostic too if both have the code', async () => {
    expect(
      (await run('explain', '--code', 'missing-credential')).out,
    ).toBe(`answer 401 authentication_error [missing-credential]: The provider … needs a credential, but this target has none.

cause   The provider needs a credential, but neither the config nor the request has one.
remedy  Send the provider's key as \`Authorization: Bearer …\`, or set an \`api_key\` or a saved provider in the target.
hint    Send Authorization: Bearer …, or give the target an api_key.
who     The caller can correct it. Another target may serve the request: a fallback calls its next target.
where   Requests to models, in the form of the client.
`);
    const both = (await run('explain', '--code', 'missing-base-url')).out;
    expect(both).toContain('warning[missing-base-url]');
    expect(both).toContain('answer 400 invalid_request_error [missing-base-url]');
  });

  it('has a page of limited size for every code of every table', () => {
    for (const code of [diagnosticTable, errorTable, findingExplanations, causeExplanations].flatMap(Object.keys)) {
      const page = explainCode(code);
      expect(page).toContain(`[${code}]`);
      const [words = ''] = page.split('\nwrong\n');
      expect(words).not.toMatch(/undefined|(?<!\$)\{[a-zA-Z]+\}/);
      expect(page.length).toBeLessThan(6000);
    }
  });

  it('explains every code in the sources as a finding, even if an error answer has the same code', () => {
    const sources = globSync(['{compiler,gw,plugins/host,schema/config}/**/*.ts'], { exclude: ['gw/route-tests/**'] });
    const printed = new Set(
      sources.flatMap((file) =>
        [...readFileSync(file, 'utf8').matchAll(/\bcode(?:: | = )'([a-z]+(?:-[a-z]+)+)'/g)].map(
          ([, code = '']) => code,
        ),
      ),
    );
    expect(printed.size).toBeGreaterThan(30);
    for (const code of printed)
      expect(explainCode(code), code).toMatch(new RegExp(`^(?:error|warning|note)\\[${code}\\]: `));
    for (const { text, cause, remedy } of Object.values({ ...findingExplanations, ...causeExplanations }))
      for (const sentence of [text, cause, remedy]) expect(sentence).toMatch(/^[A-Z"`].*[.…]$/);
  });

  it.each(
    Object.entries(findingExplanations).flatMap(([code, { severity, example }]) =>
      example === undefined ? [] : [{ code, severity, ...example }],
    ),
  )('shows a gateway file for which gw check reports $code, and one for which it reports nothing', async (example) => {
    const check = async (lines: readonly string[]): Promise<readonly string[]> => {
      const folder = temporaryFolder({ 'gateway.json': lines.join('\n'), 'a.json': { provider: 'echo' } });
      const { out } = await runGw(folder, ['check', 'a.json', '--config', 'gateway.json', '--format', 'json']);
      const { files } = JSON.parse(out);
      return files.flatMap(({ diagnostics }: { diagnostics: readonly { severity: string; code: string }[] }) =>
        diagnostics.map(({ severity, code }) => `${severity}[${code}]`),
      );
    };
    expect(new Set(await check(example.wrong))).toEqual(new Set([`${example.severity}[${example.code}]`]));
    expect(await check(example.right)).toEqual([]);
  });

  it('gives the remedy for each error status of a provider', async () => {
    const { out } = await run('explain', '--code', 'upstream-401');
    expect(out).toMatch(/^cause\[upstream-401\]: The provider answered with the status 401\.\n/);
    expect(out).toContain('\nremedy  Correct the credential of the target: ');
    for (let status = 400; status < 600; status++) expect(explainCode(`upstream-${status}`)).toContain('\nremedy  ');
    const json = JSON.parse((await run('explain', '--code', 'upstream-503', '--format', 'json')).out);
    expect(json).toMatchObject({ code: 'upstream-503', error: null, cause: { remedy: expect.any(String) } });
    expect((await run('explain', '--code', 'upstraem-404')).err).toContain('Did you mean "upstream-404"?');
    expect((await run('explain', '--code', 'upstream-4011')).code).toBe(2);
  });

  it('shows cause, remedy, who and where of every error, and suggests its code if it is misspelt', async () => {
    for (const [code, { cause, remedy, plane }] of Object.entries(errorExplanations)) {
      const [, page = ''] = explainCode(code).split(/^(?=answer \d{3} )/m);
      expect(page || explainCode(code)).toMatch(/^answer \d{3} \w+ \[[\w-]+\]: .*\n\ncause {3}/);
      for (const part of [cause, remedy, planeTexts[plane]]) expect(page || explainCode(code)).toContain(part);
      for (const sentence of [cause, remedy]) expect(sentence).toMatch(/^[A-Z"`].*\.$/);
      // Without its third letter, and in capitals with underscores.
      for (const misspelt of [`${code.slice(0, 2)}${code.slice(3)}`, code.toUpperCase().replaceAll('-', '_')])
        expect(() => explainCode(misspelt)).toThrow(expect.objectContaining({ hint: `Did you mean "${code}"?` }));
    }
  });

  it('mentions only commands and options that exist', async () => {
    const tree = await commandTree();
    const named = Object.values(errorExplanations).flatMap(({ cause, remedy }) =>
      [...`${cause} ${remedy}`.matchAll(/`gw ([^`]+)`/g)].map(([, command = '']) => command),
    );
    expect(named.length).toBeGreaterThan(5);
    for (const command of named) {
      let at: CommandTree | undefined = tree;
      for (const word of command.split(' ').filter((each) => /^[a-z-]+$/.test(each) && !each.startsWith('--')))
        at = at?.commands?.[word];
      expect(at?.spec ?? at?.commands, command).toBeDefined();
      for (const [, option = ''] of command.matchAll(/--([a-z-]+)/g))
        expect(Object.keys(at?.spec?.options ?? {}), command).toContain(option);
    }
  });

  it('prints one JSON document with --format json', async () => {
    const { out } = await run('explain', '--code', 'missing-base-url', '--format', 'json');
    expect(JSON.parse(out)).toMatchObject({
      code: 'missing-base-url',
      diagnostic: { severity: 'warning', cause: expect.any(String), wrong: expect.stringContaining('azure-openai') },
      error: { status: 400, fault: 'caller' },
    });
  });

  it('suggests the intended code, and accepts no file', async () => {
    expect(await run('explain', '--code', 'zero-wieght')).toMatchObject({
      code: 2,
      err: 'gw: There is no code "zero-wieght". Did you mean "zero-weight"?\n',
    });
    expect(await run('explain', '--code', '__proto__')).toMatchObject({ code: 2, out: '' });
    expect(await run('explain', 'b.json', '--code', 'zero-weight')).toMatchObject({ code: 2, out: '' });
  });

  it('is mentioned if gw check found something', async () => {
    const more = '\nFor details of a code, run gw explain --code CODE.\n';
    expect((await run('check', 'a.json')).out.endsWith(more)).toBe(true);
    expect((await run('check', 'b.json')).out).toBe('1 file, nothing to report.\n');
  });
});
