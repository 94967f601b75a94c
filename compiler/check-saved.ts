import type { Catalogue } from '../plugins/sdk/catalogue.ts';
import type { Diagnostic } from '../schema/diagnostic.ts';
import { childPointer, type JsonPointer, rootPointer } from '../schema/pointer.ts';
import type { Saved } from '../schema/saved.ts';
import { compile } from './compile.ts';
import { createReporter } from './diagnostics/reporter.ts';
import { guardrailHook } from './ir/guardrail-hook.ts';
import { patternBudget } from './ir/pattern-budget.ts';
import { soundness } from './validate/soundness.ts';

/** Something wrong in what a gateway file saves, by its place in that file. */
export interface SavedProblem {
  readonly code: string;
  readonly pointer: JsonPointer;
  readonly message: string;
  readonly hint: string;
}

const nowhere = { offset: 0, length: 0, line: 1, column: 1 };

const problems = (
  diagnostics: readonly Diagnostic[],
  placeOf: (diagnostic: Diagnostic) => JsonPointer,
): readonly SavedProblem[] =>
  diagnostics
    .filter(({ severity }) => severity === 'error')
    .map((found) => ({ code: found.code, pointer: placeOf(found), message: found.message, hint: found.hint ?? '' }));

/** A saved provider is right when a config that does nothing but name it is. */
const namedAlone = (config: object, saved: Saved, catalogue: Catalogue): readonly Diagnostic[] =>
  compile(JSON.stringify(config), { trust: 'operator', catalogue, saved }).diagnostics;

const guardrailFindings = (slug: string, saved: Saved, catalogue: Catalogue): readonly Diagnostic[] => {
  const reporter = createReporter({ spanOf: () => nowhere });
  const value = saved.guardrails[slug] ?? {};
  const pointer = childPointer(rootPointer, 'guardrails', slug);
  const trust = 'operator';
  const patterns = patternBudget(trust);
  const context = { trust, catalogue, saved, sound: soundness(new Set()), reporter, patterns } as const;
  guardrailHook({ value, pointer, id: slug, phase: 'input' }, context);
  return reporter.diagnostics();
};

/** What no config could use of what a gateway file saves, found before a config tries. */
export const checkSaved = (saved: Saved, catalogue: Catalogue): readonly SavedProblem[] => {
  const at = (list: string, name: string) => (): JsonPointer => childPointer(rootPointer, list, name, 'provider');
  return [
    ...Object.keys(saved.providers).flatMap((slug) =>
      problems(namedAlone({ provider: `@${slug}` }, saved, catalogue), at('providers', slug)),
    ),
    ...Object.keys(saved.virtualKeys).flatMap((id) =>
      problems(namedAlone({ virtual_key: id }, saved, catalogue), at('virtual_keys', id)),
    ),
    ...Object.keys(saved.guardrails).flatMap((slug) =>
      problems(guardrailFindings(slug, saved, catalogue), ({ pointer }) => pointer),
    ),
  ];
};
