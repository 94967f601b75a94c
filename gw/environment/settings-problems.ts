import type { Environment } from '../../compiler/cli/command-line/services.ts';
import type { SavedProblem } from '../../compiler/gateway-file-checks/check-saved.ts';
import type { GivenSink } from '../../compiler/gateway-file-checks/check-sinks.ts';
import type { Linkable } from '../../plugins/host/isolation/when-answered.ts';
import { whenLoaded } from '../../plugins/sdk/loading/when-loaded.ts';
import type { Catalogue } from '../../plugins/sdk/plugin/catalogue.ts';
import type { Saved } from '../../schema/config/saved.ts';
import type { GatewayFile } from '../../schema/generated/gateway-file.ts';

/** Reports what is wrong with saved records. If there are none, the compiler is not loaded. */
export const savedProblems = async (
  saved: Saved,
  {
    catalogue,
    isolated,
    findUntrusted,
  }: Pick<Environment, 'catalogue' | 'findUntrusted'> & { readonly isolated: readonly Linkable[] },
): Promise<readonly SavedProblem[]> => {
  const { providers, virtualKeys, guardrails } = saved;
  if ([providers, virtualKeys, guardrails].every((things) => Object.keys(things).length === 0)) return [];
  const [{ checkSaved }, { whenAnswered }] = await Promise.all([
    import('../../compiler/gateway-file-checks/check-saved.ts'),
    import('../../plugins/host/isolation/when-answered.ts'),
  ]);
  return whenLoaded(() => whenAnswered(isolated, () => checkSaved(saved, catalogue, findUntrusted)));
};

export const priceProblems = async (settings: GatewayFile, catalogue: Catalogue): Promise<readonly SavedProblem[]> => {
  if (settings.prices === undefined) return [];
  const { checkPrices } = await import('../../compiler/gateway-file-checks/check-prices.ts');
  return checkPrices(settings, catalogue);
};

export const modelProblems = async (
  { models }: GatewayFile,
  known: Pick<Environment, 'saved' | 'catalogue'>,
): Promise<readonly SavedProblem[]> => {
  if (models === undefined) return [];
  const { checkModels } = await import('../../compiler/gateway-file-checks/check-models.ts');
  return whenLoaded(() => checkModels(models, known));
};

export const modelFactProblems = async (
  { model_facts }: GatewayFile,
  known: Pick<Environment, 'saved' | 'catalogue'>,
): Promise<readonly SavedProblem[]> => {
  if (model_facts === undefined) return [];
  const { checkModelFacts } = await import('../../compiler/gateway-file-checks/check-model-facts.ts');
  return checkModelFacts(model_facts, known);
};

export const sinkProblems = async (
  { log }: GatewayFile,
  known: Pick<Environment, 'catalogue'>,
): Promise<readonly SavedProblem[]> => {
  if (typeof log !== 'object' || log.sinks === undefined) return [];
  const { checkSinks } = await import('../../compiler/gateway-file-checks/check-sinks.ts');
  return checkSinks(log.sinks as readonly GivenSink[], known.catalogue);
};

export const alertProblems = async ({ alerts }: GatewayFile): Promise<readonly SavedProblem[]> => {
  if (alerts === undefined) return [];
  const { checkAlerts } = await import('../../compiler/gateway-file-checks/check-alerts.ts');
  return checkAlerts(alerts);
};

export const listenProblems = async ({
  listen,
  cors,
  pass_through_headers,
}: GatewayFile): Promise<readonly SavedProblem[]> => {
  const problems: SavedProblem[] = [];
  if (listen?.tls !== undefined) {
    const { checkTls } = await import('../../compiler/gateway-file-checks/check-listen.ts');
    problems.push(...checkTls(listen.tls));
  }
  if (cors !== undefined) {
    const { checkOrigins } = await import('../../compiler/gateway-file-checks/check-origins.ts');
    problems.push(...checkOrigins(cors.origins));
  }
  if (pass_through_headers !== undefined) {
    const { checkPassThroughHeaders } = await import('../../compiler/gateway-file-checks/check-pass-through.ts');
    problems.push(...checkPassThroughHeaders(pass_through_headers));
  }
  return problems;
};

export const overloadProblems = async ({ overload }: GatewayFile): Promise<readonly SavedProblem[]> => {
  if (overload === undefined) return [];
  const { checkOverload } = await import('../../compiler/gateway-file-checks/check-overload.ts');
  return checkOverload(overload);
};

export const metricsProblems = async ({ metrics }: GatewayFile): Promise<readonly SavedProblem[]> => {
  if (typeof metrics !== 'object') return [];
  const { checkMetrics } = await import('../../compiler/gateway-file-checks/check-metrics.ts');
  return checkMetrics(metrics);
};

export const cacheProblems = async (
  { cache }: GatewayFile,
  known: Pick<Environment, 'saved' | 'catalogue'>,
): Promise<readonly SavedProblem[]> => {
  if (cache?.semantic === undefined) return [];
  const { checkCache } = await import('../../compiler/gateway-file-checks/check-cache.ts');
  return checkCache(cache, known);
};

export const labelProblems = async ({ labels }: Saved): Promise<readonly SavedProblem[]> => {
  if (labels === undefined) return [];
  const { checkLabels } = await import('../../compiler/gateway-file-checks/check-labels.ts');
  return checkLabels(labels);
};
