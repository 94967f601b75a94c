import type { Diagnostic } from '../../schema/diagnostic.ts';
import type { RoutingPlan } from '../../schema/plan.ts';
import { rootPointer } from '../../schema/pointer.ts';
import { checkHost } from '../upstream/check-host.ts';

/**
 * What is wrong with the hosts that a caller's config itself names, as far as their texts tell: ports that do not speak
 * HTTP, names that are not public. A saved provider's host is the operator's choice.
 */
export const unreachableHosts = ({ targets }: RoutingPlan, trusted: readonly string[]): readonly Diagnostic[] =>
  targets.flatMap(({ from, upstream }) => {
    if (from.kind === 'saved' || upstream.kind !== 'custom') return [];
    const reason = checkHost(upstream.baseUrl, trusted);
    if (reason === undefined) return [];
    return {
      code: 'host-not-allowed',
      severity: 'error',
      message: `The host ${new URL(upstream.baseUrl).host} is not one this gateway may call: ${reason}`,
      hint: 'The operator can list it in GW_TRUSTED_HOSTS or under trusted_hosts.',
      pointer: rootPointer,
      span: { offset: 0, length: 0, line: 1, column: 1 },
    };
  });
