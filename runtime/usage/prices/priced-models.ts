import type { OwnPrices } from '../../../schema/usage/model-price.ts';
import type { PricedCall } from '../../ports/prices.ts';

/** The models of a provider that have a price, each once: those of the saved provider, the operator's, then the listed ones. */
export type PricedModels = (call: Pick<PricedCall, 'provider' | 'listedAs' | 'saved'>) => Promise<readonly string[]>;

/** Stands for all models of a provider without a price of their own. */
const anyModel = '*';

/** The lists of `@pydantic/genai-prices` are loaded when somebody first asks: they take 20 MB. */
export const createPricedModels =
  (own: OwnPrices = {}): PricedModels =>
  async ({ provider, listedAs, saved }) => {
    const { findProvider } = await import('@pydantic/genai-prices');
    const listed = findProvider({ providerId: listedAs })?.models ?? [];
    const names = [
      ...Object.keys(saved ?? {}),
      ...Object.keys((Object.hasOwn(own, provider) ? own[provider] : undefined) ?? {}),
      ...listed.filter(({ deprecated }) => deprecated !== true).map(({ id }) => id),
    ];
    return [...new Set(names)].filter((name) => name !== anyModel);
  };
