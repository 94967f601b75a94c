import { findOwnModel } from '../../../plugins/sdk/models/named-models.ts';
import { guessValue } from '../../diagnostics/closest.ts';
import { findNamedModel, isElsewhere, modelPlace } from '../../resolve/providers/source-facts.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';
import { findMisspelt } from './misspelt-names.ts';

/** Checks that no target uses a model name that differs from a known one by one letter. Covers models of every kind. */
export const misspeltModels: Check = defineCheck({
  name: 'misspelt-models',
  create: ({ models, reporter }) => ({
    leaf(node, { source }) {
      const named = findNamedModel(node, source);
      // Deployments and servers at another host have names of their own.
      if (named === undefined || named.provider.settingsModels !== undefined || isElsewhere(node, source)) return;
      const { provider, model, slug } = named;
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
