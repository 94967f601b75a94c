import { aliasConfig } from '../../../schema/config/alias-config.ts';
import { readVirtualTargets } from '../../../schema/config/virtual-models.ts';
import type { Diagnostic } from '../../../schema/errors/diagnostic.ts';
import { childPointer, rootPointer } from '../../../schema/json/pointer.ts';
import type { DiagnosticCode } from '../../diagnostics/table.ts';
import type { CommandServices, Environment } from '../command-line/services.ts';

/** Findings about the model of a config that also apply to the model that a virtual model stands for. */
export const ofModels: readonly DiagnosticCode[] = ['deprecated-model', 'misspelt-model'];

/** Reports virtual models of a gateway file that stand for a misspelt model, or for one that its provider will reject. */
export const virtualModelWarnings = async (
  { compile }: Pick<CommandServices, 'compile'>,
  environment: Environment,
): Promise<readonly Diagnostic[]> => {
  const { diagnose, saved } = environment;
  if (diagnose === undefined) return [];
  const found: Diagnostic[] = [];
  for (const [name, target] of readVirtualTargets(saved.models ?? {})) {
    if (target.kind !== 'model') continue;
    const { diagnostics } = await compile(aliasConfig(name, target, saved), {
      ...{ environment, name, file: name, findingsOnly: true },
    });
    const pointer = childPointer(rootPointer, 'models', name);
    for (const { code, message, hint = '' } of diagnostics)
      if (ofModels.some((each) => each === code))
        found.push(diagnose({ code, pointer, severity: 'warning', message, hint }));
  }
  return found;
};
