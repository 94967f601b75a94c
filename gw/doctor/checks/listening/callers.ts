import { isSecretRef } from '../../../../runtime/cli/settings/secret-reader.ts';
import { ServeFailure } from '../../../../runtime/cli/settings/serve-failure.ts';
import { checkExposure, toServiceKeys, uncountedKeys } from '../../../../runtime/cli/settings/to-service-keys.ts';
import { type Check, type Finding, splitAdvice } from '../../set-up/finding.ts';

const failures = (subject: string, check: () => void): readonly Finding[] => {
  try {
    check();
    return [];
  } catch (error) {
    if (!(error instanceof ServeFailure)) throw error;
    return [{ severity: 'error', subject, ...splitAdvice(error.message) }];
  }
};

export const callers: Check = {
  id: 'callers',
  description:
    'who may call: no service keys on an address that others can reach, service keys that no client can send or that two tenants share, or tenants that the store does not know',
  run({ settings, options, address, secrets }) {
    const keys = settings.auth?.keys ?? [];
    const hasStore = options.store !== undefined || settings.store !== undefined;
    // Keys without a value are reported by the check of secrets.
    const areSet = keys.every(({ key }) => isSecretRef(key) && secrets(key) !== undefined);
    return [
      ...failures(address.host, () => checkExposure(address.host, options.open, keys.length > 0 || hasStore)),
      ...uncountedKeys(settings, hasStore).map(
        (fact): Finding => ({ severity: 'warning', subject: '"auth.keys"', ...splitAdvice(fact) }),
      ),
      ...(areSet ? failures('"auth.keys"', () => void toServiceKeys(settings, secrets)) : []),
    ];
  },
};
