import { allowsModel } from '../../../plugins/sdk/models/allows-model.ts';
import { shownModel } from '../../../plugins/sdk/models/named-models.ts';
import { findModel, modelPlace } from '../../resolve/providers/source-facts.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

/** Checks that a target calls only a model that its saved provider allows. The list belongs to the store and may change. */
export const allowedModels: Check = defineCheck({
  name: 'allowed-models',
  create: ({ reporter }) => ({
    leaf(node, { source }) {
      if (source.kind !== 'saved' || source.saved?.models === undefined) return;
      const model = findModel(node, source);
      if (typeof model !== 'string' || allowsModel(source.saved.models)(model)) return;
      const place = { pointer: modelPlace(node, source), part: 'value' } as const;
      reporter.report('model-not-allowed', place, { slug: source.slug, model: shownModel(model) });
    },
  }),
});
