import { compile } from '../../../../compiler/compile.ts';
import { hostWarnings } from '../../../../compiler/gateway-file-checks/check-saved.ts';
import { builtinPlugins } from '../../../../plugins/builtin.ts';
import { toGuardrailParts } from '../../../../plugins/control/catalog/guardrails/saved-guardrails.ts';
import { createTenants } from '../../../../plugins/control/catalog/tenant-view/create-tenants.ts';
import { createAllowances } from '../../../../plugins/control/kernel/fairness/allowances.ts';
import type { ResourceParts } from '../../../../plugins/control/kernel/resource/define-resource.ts';
import { newMasterKey } from '../../../../plugins/control/kernel/secrets/master-key.ts';
import { createSealer } from '../../../../plugins/control/kernel/secrets/sealer.ts';
import type { Store } from '../../../../plugins/control/kernel/store/store.ts';
import { buildCatalogue } from '../../../../plugins/sdk/plugin/catalogue.ts';
import { systemClock } from '../../../../runtime/in-memory/system-clock.ts';
import { checkHost } from '../../../../runtime/upstream/check-host.ts';
import { nothingSaved } from '../../../../schema/config/saved.ts';

/** The same for all processes that a test runs on its store. */
const masterKey = newMasterKey();
const catalogue = buildCatalogue(builtinPlugins);

/** Creates the parts of the control plane that resources need. The gateway file defines no records. */
export const resourceParts = async (store: Store, now: () => number = Date.now): Promise<ResourceParts> => {
  const sealer = await createSealer({ store, masterKey });
  const overlay = { saved: nothingSaved, configNames: () => [] };
  return {
    store,
    now,
    sealer,
    allowances: createAllowances(now),
    overlay,
    readView: createTenants({ store, sealer, overlay, catalogue, clock: systemClock }).viewNow,
    catalogue,
    findHostError: (url) => checkHost(url, []),
    toSavedGuardrails: (rows) => toGuardrailParts(rows).guardrails,
    compile: async (text, { saved, name }) => compile(text, { trust: 'saved', catalogue, saved, name }),
    providerWarnings: async (_, provider) => hostWarnings(provider, catalogue),
  };
};
