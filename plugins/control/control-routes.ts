import { gatewayError } from '../../schema/errors/errors.ts';
import type { ProvidedRoute } from '../sdk/plugin/plugin-report.ts';
import { auditRoutes } from './access/audit/audit-routes.ts';
import { callerRoutes } from './access/keys/caller-routes.ts';
import { keyRoutes } from './access/keys/key-routes.ts';
import { type SessionParts, sessionRoutes } from './access/sessions/session-routes.ts';
import { organisationRoutes } from './access/workspaces/organisation-routes.ts';
import { configFactsRoute } from './catalog/configs/config-facts.ts';
import { configRoutes } from './catalog/configs/config-routes.ts';
import { integrationModelRoutes, pricingRoutes } from './catalog/integrations/integration-routes.ts';
import { promptRoutes } from './catalog/prompts/prompt-routes.ts';
import { createPromptFinder, type PromptsOf } from './catalog/prompts/prompts-of.ts';
import { kindRoutes } from './catalog/providers/kind-routes.ts';
import type { ControlRoute } from './kernel/requests/control-route.ts';
import { resourceRoutes } from './kernel/resource/resource-routes.ts';
import { logRoutes } from './logs/log-routes.ts';
import { defaultLogSettings } from './logs/settings/log-settings.ts';
import type { LogParts } from './logs/writer/log-store.ts';
import { usageRoutes } from './metering/ledger/usage-routes.ts';
import { ratePolicyRoutes, usagePolicyRoutes } from './metering/policies/policy-routes.ts';
import { resources } from './resources.ts';
import { batchRoutes } from './work/batches/batch-routes.ts';
import { circuitRoutes } from './work/circuits/circuit-routes.ts';
import { fineTuningRoutes } from './work/fine-tuning/fine-tuning-routes.ts';
import { fileRoutes } from './work/provider-files/file-routes.ts';
import type { WorkParts } from './work/provider-requests/work-parts.ts';
import { responseRoutes } from './work/responses/response-routes.ts';
import { playgroundRoutes } from './work/trials/playground-routes.ts';
import { trialRoutes } from './work/trials/trial-routes.ts';

/** Nothing is asked of the store before a route is run. */
const withoutStore = { store: {} } as AllParts;

/** Every route of the control plane. None of them can be run. */
export const declaredRows = (): readonly ControlRoute[] =>
  controlRoutes(withoutStore, createPromptFinder(withoutStore));

/** The routes of the control plane, which no other plugin may have, without what they do. */
export const declaredControlRoutes = (): readonly ProvidedRoute[] =>
  declaredRows().map(({ method, path, operationId, scope }) => ({ method, path, operationId, scope }));

/** The first segments of the paths that are the control plane's alone, sorted: no provider has what is below them. */
export const ownSegments = (): readonly string[] => {
  const own = declaredRows().filter(({ shared = false }) => !shared);
  return [...new Set(own.map(({ path }) => path.split('/', 2)[1] ?? ''))].sort();
};

/** The parts that the resources of all floors are made of. */
export interface AllParts extends WorkParts, SessionParts {
  /** The log of requests; absent where none is kept. */
  readonly log?: Pick<LogParts, 'store' | 'settings' | 'labels'>;
}

const noLog = {
  settings: defaultLogSettings,
  labels: [],
  store: () => {
    throw gatewayError('no-log', {});
  },
};

/** The routes of every resource. */
export const controlRoutes = (parts: AllParts, findPrompts: PromptsOf): readonly ControlRoute[] => [
  ...organisationRoutes(parts),
  ...callerRoutes(parts),
  ...sessionRoutes(parts),
  ...keyRoutes(parts),
  ...integrationModelRoutes(parts),
  ...configRoutes(parts),
  configFactsRoute(parts),
  ...promptRoutes(parts, findPrompts),
  ...resources.flatMap((resource) => resourceRoutes(resource, parts)),
  ...usagePolicyRoutes(parts),
  ...ratePolicyRoutes(parts),
  ...batchRoutes(parts),
  ...auditRoutes(parts),
  ...pricingRoutes(parts),
  ...usageRoutes(parts),
  ...fineTuningRoutes(parts),
  ...responseRoutes(parts),
  ...playgroundRoutes(),
  ...fileRoutes(parts),
  ...kindRoutes(parts),
  ...trialRoutes(parts),
  ...circuitRoutes(parts),
  ...logRoutes({ ...parts, ...(parts.log ?? noLog) }, parts),
];
