import { childPointer } from '../../../schema/json/pointer.ts';
import { findModel } from '../../resolve/providers/source-facts.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

/** Checks that a target of a provider with deployments names the one to use. */
export const deployments: Check = defineCheck({
  name: 'deployments',
  create: ({ reporter }) => ({
    leaf(node, { source }) {
      if (source.kind !== 'inline' || source.provider?.settings?.includes('deployments') !== true) return;
      const { config, pointer } = node;
      const { deployment_id: id, deployments: list, api_version: version, custom_host: host } = config;
      if (
        config.clouda_model_name !== undefined ||
        id !== undefined ||
        list !== undefined ||
        version !== undefined ||
        host !== undefined
      )
        return;
      if (findModel(node, source) !== undefined) return;
      const place = { pointer: childPointer(pointer, 'provider'), part: 'value' } as const;
      reporter.report('missing-deployment', place, { provider: source.provider.id });
    },
  }),
});
