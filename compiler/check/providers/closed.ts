import { findProvider, isElsewhere, providerPlace } from '../../resolve/providers/source-facts.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

/** Checks that no target calls a service that its vendor has closed. Another host may still serve the same API. */
export const closed: Check = defineCheck({
  name: 'closed',
  create: ({ reporter }) => ({
    leaf(node, { source }) {
      const provider = findProvider(source);
      if (provider?.closed === undefined || isElsewhere(node, source)) return;
      const place = { pointer: providerPlace(node, source), part: 'value' } as const;
      reporter.report('closed-provider', place, { provider: provider.id, day: provider.closed });
    },
  }),
});
