import { dayMs } from '../../../schema/durations.ts';
import { deprecationHolds } from '../../../schema/model-facts/deprecation.ts';
import { findModel, findProvider, isElsewhere, modelPlace } from '../../resolve/providers/source-facts.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

/** How long before the end of a model a file is warned. */
const noticeDays = 90;

const isNear = (day: string, today: string): boolean => Date.parse(day) - Date.parse(today) <= noticeDays * dayMs;

/** No target asks for a model that its provider will soon refuse. */
export const deprecatedModels: Check = defineCheck({
  name: 'deprecated-models',
  create: ({ models, reporter }) => ({
    leaf(node, { source }) {
      const [provider, model] = [findProvider(source), findModel(node, source)];
      if (models === undefined || provider === undefined || typeof model !== 'string') return;
      const facts = models.find(provider.id, model, source.kind === 'saved' ? source.slug : undefined);
      const day = facts?.deprecated;
      if (facts === undefined || day === undefined || !isNear(day, models.today)) return;
      if (!deprecationHolds(facts, { isElsewhere: isElsewhere(node, source) })) return;
      const pointer = modelPlace(node, source);
      reporter.report('deprecated-model', { pointer, part: 'value' }, { model, provider: provider.id, day });
    },
  }),
});
