import type { Exchange } from '../../plugins/sdk/exchange/exchange.ts';
import { definePlugin, type Plugin } from '../../plugins/sdk/plugin/plugin.ts';
import {
  type DeclaredLabels,
  describeLabel,
  enforcedLabels,
  labelMatcher,
} from '../../schema/config/declared-labels.ts';
import { gatewayError } from '../../schema/errors/errors.ts';

interface EnforcedLabel {
  readonly name: string;
  readonly required: boolean;
  readonly expected: string;
  readonly isPermitted: ReturnType<typeof labelMatcher>;
}

/** Throws the `GatewayError` of the first label that a request has with another value than it may, or lacks. */
const refuse = ({ facts: { metadata }, route }: Exchange, labels: readonly EnforcedLabel[]): void => {
  for (const { name, required, expected, isPermitted } of labels) {
    const value = Object.hasOwn(metadata, name) ? metadata[name] : undefined;
    const isMissing = value === undefined && required && route.operation !== 'opaque';
    if (!isMissing && (value === undefined || isPermitted(value))) continue;
    const reason = `${isMissing ? 'it lacks the label' : 'its label'} ${JSON.stringify(name)}${isMissing ? ', which' : ''} has to be ${expected}.`;
    throw gatewayError('invalid-header', { header: 'x-gw-metadata', reason });
  }
};

/**
 * Refuses requests with a label that is not as the gateway file declares it, before a plan is chosen. It is the request's
 * metadata with that of its key which counts. Requests on paths that the gateway does not model may lack a label.
 */
export const enforceLabels = (declared: DeclaredLabels): Plugin => {
  const labels = enforcedLabels(declared).map(([name, label]) => ({
    name,
    required: label.required === true,
    expected: describeLabel(label),
    isPermitted: labelMatcher(label),
  }));
  return definePlugin({
    name: 'gatewright/labels',
    apply: ({ beforeRoute }) =>
      beforeRoute.tap('gatewright/labels', (exchange) => {
        refuse(exchange, labels);
        return undefined;
      }),
  });
};
