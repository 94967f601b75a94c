import type { SavedProblem } from '../../compiler/check-saved.ts';
import type { GivenSink } from '../../compiler/check-sinks.ts';
import type { Environment } from '../../compiler/cli/command-line/services.ts';
import type { Linkable } from '../../plugins/host/isolation/when-answered.ts';
import { whenLoaded } from '../../plugins/sdk/modules/when-loaded.ts';
import type { Catalogue } from '../../plugins/sdk/plugin/catalogue.ts';
import type { Saved } from '../../schema/config/saved.ts';
import type { GatewayFile } from '../../schema/generated/gateway-file.ts';

/** Finds what is wrong with saved records. Where nothing is saved, the compiler is not loaded. */
export const savedProblems = async (
  saved: Saved,
  { catalogue, isolated }: { readonly catalogue: Catalogue; readonly isolated: readonly Linkable[] },
): Promise<readonly SavedProblem[]> => {
  const { providers, virtualKeys, guardrails } = saved;
  if ([providers, virtualKeys, guardrails].every((things) => Object.keys(things).length === 0)) return [];
  const [{ checkSaved }, { whenAnswered }] = await Promise.all([
    import('../../compiler/check-saved.ts'),
    import('../../plugins/host/isolation/when-answered.ts'),
  ]);
  return whenLoaded(() => whenAnswered(isolated, () => checkSaved(saved, catalogue)));
};

export const priceProblems = async (
  { prices }: GatewayFile,
  catalogue: Catalogue,
): Promise<readonly SavedProblem[]> => {
  if (prices === undefined) return [];
  const { checkPrices } = await import('../../compiler/check-prices.ts');
  return checkPrices(prices, catalogue);
};

export const modelProblems = async (
  { models }: GatewayFile,
  known: Pick<Environment, 'saved' | 'catalogue'>,
): Promise<readonly SavedProblem[]> => {
  if (models === undefined) return [];
  const { checkModels } = await import('../../compiler/check-models.ts');
  return whenLoaded(() => checkModels(models, known));
};

export const modelFactProblems = async (
  { model_facts }: GatewayFile,
  known: Pick<Environment, 'saved' | 'catalogue'>,
): Promise<readonly SavedProblem[]> => {
  if (model_facts === undefined) return [];
  const { checkModelFacts } = await import('../../compiler/check-model-facts.ts');
  return checkModelFacts(model_facts, known);
};

export const sinkProblems = async (
  { log }: GatewayFile,
  known: Pick<Environment, 'catalogue'>,
): Promise<readonly SavedProblem[]> => {
  if (typeof log !== 'object' || log.sinks === undefined) return [];
  const { checkSinks } = await import('../../compiler/check-sinks.ts');
  return checkSinks(log.sinks as readonly GivenSink[], known.catalogue);
};

export const alertProblems = async ({ alerts }: GatewayFile): Promise<readonly SavedProblem[]> => {
  if (alerts === undefined) return [];
  const { checkAlerts } = await import('../../compiler/check-alerts.ts');
  return checkAlerts(alerts);
};

export const listenProblems = async ({
  listen,
  pass_through_headers,
}: GatewayFile): Promise<readonly SavedProblem[]> => {
  const problems: SavedProblem[] = [];
  if (listen?.tls !== undefined) {
    const { checkTls } = await import('../../compiler/check-listen.ts');
    problems.push(...checkTls(listen.tls));
  }
  if (pass_through_headers !== undefined) {
    const { checkPassThroughHeaders } = await import('../../compiler/check-pass-through.ts');
    problems.push(...checkPassThroughHeaders(pass_through_headers));
  }
  return problems;
};

export const overloadProblems = async ({ overload }: GatewayFile): Promise<readonly SavedProblem[]> => {
  if (overload === undefined) return [];
  const { checkOverload } = await import('../../compiler/check-overload.ts');
  return checkOverload(overload);
};

export const cacheProblems = async (
  { cache }: GatewayFile,
  known: Pick<Environment, 'saved' | 'catalogue'>,
): Promise<readonly SavedProblem[]> => {
  if (cache?.semantic === undefined) return [];
  const { checkCache } = await import('../../compiler/check-cache.ts');
  return checkCache(cache, known);
};

export const labelProblems = async ({ labels }: Saved): Promise<readonly SavedProblem[]> => {
  if (labels === undefined) return [];
  const { checkLabels } = await import('../../compiler/check-labels.ts');
  return checkLabels(labels);
};
