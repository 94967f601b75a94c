import type { CheckServices } from '../../../plugins/sdk/guardrail/guardrail.ts';
import type { LinkContext } from '../call/context.ts';
import { checkHttp } from './check-http.ts';
import type { Placeholders } from './placeholders.ts';

interface ServiceParts extends Pick<LinkContext, 'ports' | 'deadlines' | 'callerPlan'> {
  readonly placeholders: Placeholders;
}

/** Creates the services of the gateway that the checks of one plan may use. */
export const checkServices = (parts: ServiceParts): CheckServices => ({
  http: checkHttp(parts),
  timers: parts.ports.clock,
  placeholder: (tenant, value) => parts.placeholders.name(tenant, value),
});
