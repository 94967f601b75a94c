import type { Catalogue } from '../../plugins/sdk/plugin/catalogue.ts';
import type { Saved } from '../../schema/config/saved.ts';
import type { GatewayFile } from '../../schema/generated/gateway-file.ts';
import { childPointer, rootPointer } from '../../schema/json/pointer.ts';
import { suggestion } from '../diagnostics/closest.ts';
import type { SavedProblem } from './check-saved.ts';

/**
 * Reports facts about models of providers that neither a plugin provides nor the gateway file saves, because these facts would
 * never be used.
 */
export const checkModelFacts = (
  facts: NonNullable<GatewayFile['model_facts']>,
  { catalogue: { providers }, saved }: { readonly catalogue: Catalogue; readonly saved: Saved },
): readonly SavedProblem[] => {
  const ids = [...new Set([...providers.values()].map(({ id }) => id))].sort();
  const names = [...ids, ...Object.keys(saved.providers).map((slug) => `@${slug}`)];
  return facts.flatMap(({ provider }, index) => {
    if (names.includes(provider)) return [];
    const named = providers.get(provider);
    return [
      {
        code: 'unknown-provider',
        pointer: childPointer(rootPointer, 'model_facts', index, 'provider'),
        message:
          named === undefined
            ? `There is no provider "${provider}".`
            : `Facts are listed by the id of a provider, and "${provider}" is another name of "${named.id}".`,
        hint: named === undefined ? suggestion(provider, names, 'Provided or saved are') : `Write "${named.id}".`,
      },
    ];
  });
};
