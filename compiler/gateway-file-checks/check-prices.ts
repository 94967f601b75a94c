import type { Catalogue } from '../../plugins/sdk/plugin/catalogue.ts';
import type { GatewayFile } from '../../schema/generated/gateway-file.ts';
import { lookUp } from '../../schema/json/look-up.ts';
import { childPointer, rootPointer } from '../../schema/json/pointer.ts';
import { suggestion } from '../diagnostics/closest.ts';
import type { SavedProblem } from './check-saved.ts';

/** Reports prices of providers that no loaded plugin provides, because these prices would never be used. */
export const checkPrices = (
  { prices = {}, providers: saved = {} }: Pick<GatewayFile, 'prices' | 'providers'>,
  { providers }: Catalogue,
): readonly SavedProblem[] => {
  const ids = [...new Set([...providers.values()].map(({ id }) => id))].sort();
  return Object.keys(prices)
    .filter((name) => !ids.includes(name))
    .map((name) => {
      const named = providers.get(name);
      const meant = named ?? providers.get(lookUp(saved, name)?.provider ?? '');
      return {
        code: 'unknown-provider',
        pointer: childPointer(rootPointer, 'prices', name),
        message:
          named === undefined
            ? `There is no provider "${name}".`
            : `Prices are listed by the id of a provider, and "${name}" is another name of "${named.id}".`,
        hint:
          meant === undefined
            ? suggestion(name, ids, 'Loaded plugins provide')
            : `Prices apply to everything that is saved for a provider: write "${meant.id}".`,
      };
    });
};
