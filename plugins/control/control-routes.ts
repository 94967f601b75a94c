import { gatewayError } from '../../schema/errors/errors.ts';
import type { WorkParts } from './accounts/work-parts.ts';
import { auditRoutes } from './audit/audit-routes.ts';
import { batchRoutes } from './batches/batch-routes.ts';
import { configRoutes } from './configs/config-routes.ts';
import type { ControlParts } from './control-parts.ts';
import { fileRoutes } from './files/file-routes.ts';
import { fineTuningRoutes } from './fine-tuning/fine-tuning-routes.ts';
import { resourceRoutes } from './kernel/resource/resource-routes.ts';
import type { ControlRoute } from './keys/control-route.ts';
import { keyRoutes } from './keys/key-routes.ts';
import { usageRoutes } from './ledger/usage-routes.ts';
import type { LogParts } from './logs/log-parts.ts';
import { logRoutes } from './logs/log-routes.ts';
import { defaultLogSettings } from './logs/log-settings.ts';
import { ratePolicyRoutes } from './policies/rate-policy-routes.ts';
import { usagePolicyRoutes } from './policies/usage-policy-routes.ts';
import { promptRoutes } from './prompts/prompt-routes.ts';
import type { PromptsOf } from './prompts/prompts-of.ts';
import { integrationModelRoutes } from './providers/integration-routes.ts';
import { pricingRoutes } from './providers/pricing-routes.ts';
import { resources } from './resources.ts';
import { responseRoutes } from './responses/response-routes.ts';
import { organisationRoutes } from './workspaces/organisation-routes.ts';

/** What the resources of all floors are made of. */
export interface AllParts extends WorkParts {
  /** The log of requests; absent where none is kept. */
  readonly log?: Pick<LogParts, 'store' | 'settings'>;
}

const noLog = {
  settings: defaultLogSettings,
  store: () => {
    throw gatewayError('no-log', {});
  },
};

/** The routes of every resource. */
export const controlRoutes = (parts: AllParts, promptsOf: PromptsOf): readonly ControlRoute[] => [
  ...organisationRoutes(parts),
  ...keyRoutes(parts),
  ...integrationModelRoutes(parts),
  ...configRoutes(parts),
  ...promptRoutes(parts, promptsOf),
  ...resources.flatMap((resource) => resourceRoutes(resource, parts)),
  ...usagePolicyRoutes(parts),
  ...ratePolicyRoutes(parts),
  ...batchRoutes(parts),
  ...auditRoutes(parts),
  ...pricingRoutes(parts),
  ...usageRoutes(parts),
  ...fineTuningRoutes(parts),
  ...responseRoutes(parts),
  ...fileRoutes(parts),
  ...logRoutes({ ...parts, ...(parts.log ?? noLog) }),
];
