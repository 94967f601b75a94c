import { definePlugin, type Plugin } from '../../plugins/sdk/plugin/plugin.ts';
import { type DeclaredLabels, labelRefusal } from '../../schema/config/declared-labels.ts';
import { gatewayError } from '../../schema/errors/errors.ts';

/**
 * Returns a plugin that refuses requests with a label that the gateway file does not allow, before a plan is chosen. The labels
 * are the request's metadata, with that of its key. Requests on paths that the gateway does not model may lack a label.
 */
export const enforceLabels = (declared: DeclaredLabels): Plugin => {
  const findRefusal = labelRefusal(declared);
  return definePlugin({
    name: 'gatewright/labels',
    apply: ({ beforeRoute }) =>
      beforeRoute.tap('gatewright/labels', ({ facts: { metadata }, route }) => {
        const reason = findRefusal(metadata, { callsModel: route.operation !== 'opaque' });
        if (reason !== undefined) throw gatewayError('invalid-header', { header: 'x-gw-metadata', reason });
        return undefined;
      }),
  });
};
