import { describe, expect, it } from 'vitest';
import type { DiagnosticCode } from '../../compiler/diagnostics/table.ts';
import { checkSaved } from '../../compiler/gateway-file-checks/check-saved.ts';
import type { Diagnostic, Severity } from '../../schema/errors/diagnostic.ts';
import {
  builtinCatalogue,
  checkRealConfigs,
  realConfigs as configs,
  realGatewayFile as gatewayFile,
} from './real-configs.ts';
import { sharedConfigsExist as areThere } from './shared-folder.ts';

const findings = checkRealConfigs();

/** The configs with a finding of each code, by the numbers at the start of their names. */
type Findings = { readonly [Code in DiagnosticCode]?: string };

/** The project lacks a feature, a check or a provider. A record that would be saved for such a provider is missing as well. */
const lacking: Findings = {
  'no-stored-prompts': '015 045',
  'unknown-check': '261',
  'unknown-saved-provider': '027 029 031 033 079 081 089 093 127 251 309 313',
  'unknown-virtual-key': '161 179 219 281 305',
};

/** The config has members or forms that are not in the specification. */
const unspecified: Findings = {
  'unknown-key': '009 065 067 069 071 105 123 125 165 213 239 241 251 253 275 289 309',
  'wrong-type': '215 261 307',
};

/** The author omitted something, or wrote something impossible. */
const mistaken: Findings = {
  'invalid-regex': '141',
  'missing-credentials': '239 273 293 295 301 323',
  'missing-key': '065 067 069 071 275',
  'missing-strategy': '063 155 233 247',
  'missing-targets': '237 303',
  'mixed-credentials': '255',
  'no-valid-combination': '047',
  'not-in-list': '051',
  'unknown-target': '181',
  'wrong-form': '067',
};

/** Correct findings that are worth a look. */
const warned: Findings = {
  'equal-targets': '221 235',
  'forgotten-weight': '015',
  'missing-base-url': '217 239',
  'missing-deployment': '217',
  'missing-version': '235 299',
  'nested-label': '201',
  'no-effect': '015 137 211 251 257 265 273 303',
  'success-status': '243',
  'zero-weight': '327',
};

const found = (severity: Severity): Findings => {
  const names = new Map<string, Set<string>>();
  for (const { name, diagnostics } of findings)
    for (const { code } of diagnostics.filter((each) => each.severity === severity))
      names.set(code, (names.get(code) ?? new Set()).add(name.replace(/-.*/, '')));
  return Object.fromEntries([...names].map(([code, findConfigs]) => [code, [...findConfigs].join(' ')]));
};

const countsByCode = (): string => {
  const counts = new Map<string, number>();
  for (const { code, severity } of findings.flatMap(({ diagnostics }) => diagnostics))
    counts.set(`${severity} ${code}`, (counts.get(`${severity} ${code}`) ?? 0) + 1);
  const rows = [...counts].sort(([, a], [, b]) => b - a);
  return rows.map(([name, count]) => `${String(count).padStart(5)}  ${name}`).join('\n');
};

const isError = ({ severity }: Diagnostic): boolean => severity === 'error';

const configsWithErrors = (): string =>
  findings
    .filter(({ diagnostics }) => diagnostics.some(isError))
    .map(({ name, diagnostics }) => {
      const lines = diagnostics.filter(isError).map(({ code, pointer }) => `${code} ${pointer}`);
      return `${name}\n${lines.map((each) => `       ${each}`).join('\n')}`;
    })
    .join('\n');

describe('real configs (skipped if there are none next to the repository)', () => {
  it.runIf(areThere)('number over 100, and their gateway file is valid', () => {
    expect(configs.length).toBeGreaterThan(100);
    expect(gatewayFile.diagnostics).toEqual([]);
    expect(checkSaved(gatewayFile.saved, builtinCatalogue)).toEqual([]);
  });

  it.runIf(areThere)('compile without errors, except for known gaps and known mistakes of their authors', () => {
    process.stdout.write(`${configs.length} real configs\n${countsByCode()}\n\n${configsWithErrors()}\n`);
    expect(found('error')).toEqual({ ...lacking, ...unspecified, ...mistaken });
  });

  it.runIf(areThere)('have only warnings that are known to be correct', () => {
    expect(found('warning')).toEqual(warned);
  });
});
