import { compile } from '../../../compiler/compile.ts';
import { codeExamples } from '../../../compiler/diagnostics/examples/code-examples.ts';
import type { DiagnosticCode } from '../../../compiler/diagnostics/table.ts';
import type { CompileResult } from '../../../schema/plan/plan.ts';
import { testCatalogue, testSaved } from '../../support/plans/catalogue.ts';
import { type Case, cases } from './cases.ts';

/** A code, a config with its mistake, and the context of that config. */
export interface CodeCase extends Case {
  readonly code: string;
  readonly text: string;
}

/** Every code with a config that has its mistake. */
export const codeCases: readonly CodeCase[] = Object.entries(codeExamples).map(([code, { wrong }]) => {
  const own: Case = cases[code as DiagnosticCode] ?? {};
  return { code, ...own, text: own.text ?? wrong.join('\n') };
});

/** Returns the file name of a case, or `undefined` if its config comes from a request. */
export const caseFile = ({ trust = 'operator' }: Case): string | undefined =>
  trust === 'operator' ? 'configs/prod.jsonc' : undefined;

/** Compiles a config in the context of a case with `run`, which is `compile` or `checkConfig`. */
export const compileCase = <Result = CompileResult>(
  each: Case,
  text: string,
  file?: string,
  run: (...args: Parameters<typeof compile>) => Result = compile as never,
): Result => {
  const { trust = 'operator', catalogue = testCatalogue, prompts, models, virtualModels, labels } = each;
  const { makesVectors, findUntrusted, providers = {}, portable } = each;
  return run(text, {
    trust,
    catalogue,
    saved: {
      ...testSaved,
      providers: { ...testSaved.providers, ...providers },
      ...(prompts === undefined ? {} : { prompts }),
      ...(virtualModels === undefined ? {} : { models: virtualModels }),
      ...(labels === undefined ? {} : { labels }),
    },
    ...(file === undefined ? {} : { file }),
    ...(models === undefined ? {} : { models }),
    makesVectors,
    findUntrusted,
    portable,
  });
};
