import type { DiagnosticCode } from '../table.ts';
import type { CodeExample } from './code-example.ts';
import { credentialExamples } from './credential-examples.ts';
import { nameExamples } from './name-examples.ts';
import { routingExamples } from './routing-examples.ts';
import { settingExamples } from './setting-examples.ts';
import { shapeExamples } from './shape-examples.ts';

/** An example for every code, loaded only when one is requested. */
export const codeExamples: { readonly [Code in DiagnosticCode]: CodeExample } = {
  ...shapeExamples,
  ...nameExamples,
  ...routingExamples,
  ...credentialExamples,
  ...settingExamples,
};
