import type { Catalogue } from '../../plugins/sdk/plugin/catalogue.ts';
import { savedSettingsSchema } from '../../plugins/sdk/provider/provider-settings.ts';
import { toCredentialFields } from '../../plugins/sdk/provider/to-credential-fields.ts';
import { unknownCredentialField } from '../../plugins/sdk/provider/unknown-credential-field.ts';
import { nothingSaved, type Saved, type SavedProvider, savedSecrets } from '../../schema/config/saved.ts';
import type { MissingName } from '../../schema/config/saved-names.ts';
import type { GatewayFileCode } from '../../schema/errors/finding-code.ts';
import type { FindUntrusted } from '../../schema/http/is-trusted.ts';
import { childPointer, type JsonPointer, rootPointer } from '../../schema/json/pointer.ts';
import { toSentence } from '../../schema/text/to-sentence.ts';
import { hostAdvice } from '../check/providers/host-advice.ts';
import { findWrongSavedSetting } from '../check/providers/hosts.ts';
import { compile } from '../compile.ts';
import type { PlacedProblem } from '../diagnostics/placed-problem.ts';
import { createReporter, nowhere, type ReportedDiagnostic } from '../diagnostics/reporter.ts';
import type { DiagnosticCode } from '../diagnostics/table.ts';
import { lowerConfig } from '../lower-config.ts';
import { listBudget } from '../resolve/context/list-budget.ts';
import { firstSpellingsOnly } from '../resolve/context/normalise-spellings.ts';
import { patternBudget } from '../resolve/context/pattern-budget.ts';
import { guardrailHook } from '../resolve/hooks/guardrail-hook.ts';
import { reportShape } from '../schema-errors/report-shape.ts';
import { savedKeyHint } from '../schema-errors/saved-key-hint.ts';
import { soundness } from '../schema-errors/usable-parts.ts';

/** A problem with a record that a gateway file saves, at its place in that file. */
export interface SavedProblem extends PlacedProblem {
  readonly code: GatewayFileCode | DiagnosticCode;
}

const problems = (
  diagnostics: readonly ReportedDiagnostic[],
  toPlace: (diagnostic: ReportedDiagnostic) => JsonPointer,
): readonly SavedProblem[] =>
  diagnostics
    .filter(({ severity }) => severity === 'error')
    .map((found) => ({
      code: found.code,
      pointer: toPlace(found),
      ...(found.code === 'unknown-key' ? { part: 'key' } : {}),
      message: found.message,
      hint: found.hint ?? '',
    }));

/** Returns the findings of a config that only names a saved provider, because the provider is right if such a config is. */
const namedAlone = (config: object, saved: Saved, catalogue: Catalogue): readonly ReportedDiagnostic[] =>
  compile(JSON.stringify(config), { trust: 'operator', catalogue, saved }).diagnostics;

const guardrailDiagnostics = (slug: string, saved: Saved, catalogue: Catalogue): readonly ReportedDiagnostic[] => {
  const reporter = createReporter({ readSpan: () => nowhere });
  const value = saved.guardrails[slug] ?? {};
  const pointer = childPointer(rootPointer, 'guardrails', slug);
  const trust = 'operator';
  const patterns = patternBudget(trust);
  const lists = listBudget(trust);
  const missing: MissingName[] = [];
  const context = {
    trust,
    catalogue,
    saved,
    sound: soundness(new Set()),
    reporter,
    patterns,
    lists,
    spellings: firstSpellingsOnly,
    secretPlaces: new Set<JsonPointer>(),
    missing,
  } as const;
  guardrailHook({ value, pointer, id: slug, phase: 'input' }, context);
  return reporter.diagnostics();
};

/** Checks that the settings of a saved provider are those that its provider reads. */
const settingsDiagnostics = (
  { provider: name, settings }: SavedProvider,
  pointer: JsonPointer,
  catalogue: Catalogue,
): readonly ReportedDiagnostic[] => {
  const provider = catalogue.providers.get(name);
  if (provider === undefined || (settings === undefined && provider.ownSettings === undefined)) return [];
  const reporter = createReporter({ readSpan: () => nowhere });
  const { validate, keysAt } = savedSettingsSchema(provider);
  const value = settings ?? {};
  const base = settings === undefined ? pointer : childPointer(pointer, 'settings');
  reportShape(validate(value).errors, { value, base, reporter, keysAt, keyHint: savedKeyHint(provider) });
  return reporter.diagnostics();
};

/** Reports a setting of a saved provider because of which it has no address. */
const addressProblems = (
  { provider: name, settings }: SavedProvider,
  at: JsonPointer,
  catalogue: Catalogue,
): readonly SavedProblem[] => {
  const provider = catalogue.providers.get(name);
  const wrong = provider === undefined ? undefined : findWrongSavedSetting(provider, settings);
  if (wrong === undefined) return [];
  const { setting, why, hint } = wrong;
  return [{ code: 'wrong-form', pointer: childPointer(at, 'settings', setting), message: toSentence(why), hint }];
};

/**
 * Checks that the members of a saved credential are those that its provider reads, because requests would be sent without any
 * other.
 */
const credentialProblems = (
  { provider: name, credential = {} }: SavedProvider,
  at: JsonPointer,
  catalogue: Catalogue,
): readonly SavedProblem[] => {
  const provider = catalogue.providers.get(name);
  if (provider === undefined) return [];
  return Object.keys(credential).flatMap((field) => {
    const unread = unknownCredentialField(provider, field);
    const pointer = childPointer(at, 'credential', field);
    return unread === undefined ? [] : [{ code: 'unknown-key', pointer, part: 'key' as const, ...unread }];
  });
};

const ofHost = childPointer(rootPointer, 'custom_host');

/**
 * Returns the warnings about the host of a saved provider, by their places in it: the same as for a config that has the host
 * itself.
 */
export const hostWarnings = (
  saved: SavedProvider,
  catalogue: Catalogue,
  findUntrusted?: FindUntrusted,
): readonly ReportedDiagnostic[] => {
  const { provider: name, settings: { custom_host: host } = {} } = saved;
  const provider = catalogue.providers.get(name);
  if (provider === undefined || typeof host !== 'string') return [];
  const [field = 'api_key'] = toCredentialFields(provider);
  const credential = savedSecrets(saved).length === 0 ? {} : { [field]: '${env:SECRET}' };
  const { diagnostics } = lowerConfig(
    JSON.stringify({ provider: name, ...credential, custom_host: host }),
    { trust: 'operator', catalogue, saved: nothingSaved, findUntrusted },
    { findingsOnly: true, advice: [hostAdvice] },
  );
  return diagnostics
    .filter(({ severity, pointer }) => severity === 'warning' && pointer === ofHost)
    .map((found) => ({ ...found, pointer: childPointer(rootPointer, 'settings', 'custom_host') }));
};

/** Reports saved records of a gateway file that no config could use, before a config tries. */
export const checkSaved = (
  saved: Saved,
  catalogue: Catalogue,
  findUntrusted?: FindUntrusted,
): readonly SavedProblem[] => {
  const diagnostics = (
    list: 'providers' | 'virtual_keys',
    things: Saved['providers'],
    naming: (name: string) => object,
  ) =>
    Object.entries(things).flatMap(([name, each]) => {
      const at = childPointer(rootPointer, list, name);
      const ofSettings = problems(settingsDiagnostics(each, at, catalogue), ({ pointer }) => pointer);
      return [
        ...problems(namedAlone(naming(name), saved, catalogue), () => childPointer(at, 'provider')),
        // If settings are wrong themselves, the missing address is the same mistake.
        ...(ofSettings.length > 0 ? ofSettings : addressProblems(each, at, catalogue)),
        ...credentialProblems(each, at, catalogue),
        ...hostWarnings(each, catalogue, findUntrusted).map(({ code, message, hint = '' }) => ({
          ...({ code, severity: 'warning', pointer: childPointer(at, 'settings', 'custom_host') } as const),
          ...{ message, hint },
        })),
      ];
    });
  return [
    ...diagnostics('providers', saved.providers, (slug) => ({ provider: `@${slug}` })),
    ...diagnostics('virtual_keys', saved.virtualKeys, (id) => ({ virtual_key: id })),
    ...Object.keys(saved.guardrails).flatMap((slug) =>
      problems(guardrailDiagnostics(slug, saved, catalogue), ({ pointer }) => pointer),
    ),
  ];
};
