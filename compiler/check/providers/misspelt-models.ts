import { findOwnModel } from '../../../plugins/sdk/models/named-models.ts';
import { guessValue } from '../../diagnostics/closest.ts';
import { findModel, findProvider, isElsewhere, modelPlace } from '../../resolve/providers/source-facts.ts';
import type { IrNode, IrSource } from '../../resolve/tree/ir-node.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';
import { findMisspelt } from './misspelt-names.ts';

/** Whether the target calls a deployment or a server at another host, which have names of their own. */
const hasOwnNames = (node: IrNode, source: IrSource): boolean =>
  isElsewhere(node, source) || findProvider(source)?.settingsModels !== undefined;

/** Checks that no target uses a model name that differs from a known one by one letter. Covers models of every kind. */
export const misspeltModels: Check = defineCheck({
  name: 'misspelt-models',
  create: ({ models, reporter }) => ({
    leaf(node, { source }) {
      const [provider, model] = [findProvider(source), findModel(node, source)];
      if (provider === undefined || typeof model !== 'string' || hasOwnNames(node, source)) return;
      const slug = source.kind === 'saved' ? source.slug : undefined;
      // A name with a prefix, or in upper case, is reported by another check.
      if (models?.find(provider.id, model, slug) !== undefined || findOwnModel(model, provider) !== undefined) return;
      const names = models?.find.names?.(provider.id, slug) ?? [];
      const suggested = names.includes(model) ? undefined : findMisspelt(model, names);
      if (suggested === undefined) return;
      const pointer = modelPlace(node, source);
      const isOverridden = node.settings.override_params?.value.model !== undefined;
      const fix = guessValue(pointer, isOverridden ? suggested : undefined);
      reporter.report(
        'misspelt-model',
        { pointer, part: 'value', ...(fix && { fix }) },
        { model, provider: provider.id, suggested },
      );
    },
  }),
});
