import type { AllowedModels } from '../../../../schema/config/saved.ts';
import { fromJson } from '../../../../schema/json/from-json.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { SavedPrices } from '../../../../schema/usage/model-price.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import { type Problem, problem } from '../../kernel/requests/problem.ts';
import type { IntegrationRow } from '../../kernel/store/tables/tables.ts';
import { pricingProblems, toSavedPrice } from './pricing-config.ts';

/** A model of an integration. */
export interface IntegrationModel {
  /** Its name at the provider. */
  readonly slug: string;
  /** Whether it may be called. */
  readonly enabled: boolean;
  readonly is_custom?: boolean;
  readonly is_finetune?: boolean;
  readonly base_model_slug?: string;
  readonly pricing_config?: JsonObject;
}

/** The models of an integration. */
export interface IntegrationModels {
  readonly models: readonly IntegrationModel[];
  /** Whether models that are not listed may be called. */
  readonly allow_all_models: boolean;
}

export const readModels = (row: Pick<IntegrationRow, 'models' | 'allow_all_models'>): IntegrationModels => ({
  models: fromJson(row.models),
  allow_all_models: row.allow_all_models === 1,
});

/** Reads the models that may be called; absent: all. */
export const allowedModels = ({ models, allow_all_models }: IntegrationModels): AllowedModels | undefined => {
  const slugs = (enabled: boolean): readonly string[] =>
    models.filter((model) => model.enabled === enabled).map(({ slug }) => slug);
  if (!allow_all_models) return { only: slugs(true) };
  const except = slugs(false);
  return except.length === 0 ? undefined : { except };
};

/** Reads the prices of models where the integration has them; absent: as elsewhere. */
export const savedPrices = ({ models }: IntegrationModels): SavedPrices | undefined => {
  const priced = models.flatMap(({ slug, pricing_config }) =>
    pricing_config === undefined ? [] : [[slug, toSavedPrice(pricing_config)] as const],
  );
  return priced.length === 0 ? undefined : Object.fromEntries(priced);
};

/** Models that a list has twice, and what is wrong with their prices. */
export const modelProblems = (models: readonly IntegrationModel[]): readonly Problem[] => {
  const seen = new Set<string>();
  return models.flatMap(({ slug, pricing_config = {} }, at) => {
    if (!seen.has(slug)) {
      seen.add(slug);
      return pricingProblems(pricing_config, ['models', at, 'pricing_config']);
    }
    return [problem(['models', at, 'slug'], `The model "${slug}" is listed before.`, 'List each model once.')];
  });
};

/** Returns whether the providers of a workspace may use an integration of its organisation. */
export const mayUse = ({ workspaces }: Pick<IntegrationRow, 'workspaces'>, tenant: TenantId): boolean => {
  if (workspaces === null) return true;
  const ids: readonly string[] = fromJson(workspaces);
  return ids.includes(tenant);
};
