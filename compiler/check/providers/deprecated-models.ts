import { dayMs } from '../../../schema/durations.ts';
import { childPointer } from '../../../schema/json/pointer.ts';
import { deprecationHolds } from '../../../schema/model-facts/deprecation.ts';
import { findModel, findProvider, providerPlace } from '../../resolve/providers/source-facts.ts';
import type { IrLeaf, IrNode } from '../../resolve/tree/ir-node.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

/** How long before the end of a model a file is warned. */
const noticeDays = 90;

const isNear = (day: string, today: string): boolean => Date.parse(day) - Date.parse(today) <= noticeDays * dayMs;

/** Whether a target is at another host than its provider's. */
const isElsewhere = ({ settings }: IrNode, { source }: IrLeaf): boolean =>
  (settings.custom_host ?? (source.kind === 'saved' ? source.saved?.settings?.custom_host : undefined)) !== undefined;

/** No target asks for a model that its provider will soon refuse. */
export const deprecatedModels: Check = defineCheck({
  name: 'deprecated-models',
  create: ({ models, reporter }) => ({
    leaf(node, leaf) {
      const { source } = leaf;
      const [provider, model] = [findProvider(source), findModel(node, source)];
      if (models === undefined || provider === undefined || typeof model !== 'string') return;
      const facts = models.find(provider.id, model, source.kind === 'saved' ? source.slug : undefined);
      const day = facts?.deprecated;
      if (facts === undefined || day === undefined || !isNear(day, models.today)) return;
      if (!deprecationHolds(facts, { isElsewhere: isElsewhere(node, leaf) })) return;
      const params = node.settings.override_params;
      const pointer =
        params?.value.model === undefined ? providerPlace(node, source) : childPointer(params.pointer, 'model');
      reporter.report('deprecated-model', { pointer, part: 'value' }, { model, provider: provider.id, day });
    },
  }),
});
