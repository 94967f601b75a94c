import { dayMs } from '../../../schema/durations.ts';
import { modelKinds } from '../../../schema/model-facts/capability.ts';
import { deprecationHolds } from '../../../schema/model-facts/deprecation.ts';
import type { ModelFacts } from '../../../schema/model-facts/model-facts.ts';
import { findNamedModel, isElsewhere, modelPlace } from '../../resolve/providers/source-facts.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

/** The names of models of a provider, and their facts. */
interface Listed {
  readonly names: readonly string[];
  find(name: string): ModelFacts | undefined;
}

/** How many days before the end of a model the warnings begin. */
const noticeDays = 90;

/** Returns the command that lists models for the same purpose; of all providers if its own has none that remains. */
const toListing = ({ provider, capabilities }: ModelFacts, { names, find }: Listed): string => {
  const kind = modelKinds.find((each) => capabilities.includes(each));
  if (kind === undefined) return `gw models --provider ${provider}`;
  const stays = names.some((name) => {
    const facts = find(name);
    return facts?.deprecated === undefined && facts?.capabilities.includes(kind) === true;
  });
  return `gw models${stays ? ` --provider ${provider}` : ''} --capabilities ${kind}`;
};

const isNear = (day: string, today: string): boolean => Date.parse(day) - Date.parse(today) <= noticeDays * dayMs;

/** Checks that no target uses a model that its provider will soon reject. */
export const deprecatedModels: Check = defineCheck({
  name: 'deprecated-models',
  create: ({ models, reporter }) => ({
    leaf(node, { source }) {
      const named = findNamedModel(node, source);
      if (models === undefined || named === undefined) return;
      const { provider, model, slug } = named;
      const find = (name: string): ModelFacts | undefined => models.find(provider.id, name, slug);
      const facts = find(model);
      const day = facts?.deprecated;
      if (facts === undefined || day === undefined || !isNear(day, models.today)) return;
      if (!deprecationHolds(facts, { isElsewhere: isElsewhere(node, source) })) return;
      const pointer = modelPlace(node, source);
      const listing = toListing(facts, { names: models.find.names?.(provider.id, slug) ?? [], find });
      reporter.report('deprecated-model', { pointer, part: 'value' }, { model, provider: provider.id, day, listing });
    },
  }),
});
