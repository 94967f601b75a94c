import { childPointer } from '../../../schema/json/pointer.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

/** Settings that have the gateway send requests of its own, and what others than its operator can do. */
const settings = {
  probe:
    'Remove it: requests that are tried when the cooldown is over close the circuit. Or ask the operator to serve the config.',
} as const;

/** A config of somebody else than the operator sends no requests beside those of its callers. */
export const operatorsSettings: Check = defineCheck({
  name: 'operators-settings',
  create: ({ reporter, trust }) => ({
    node({ pointer, config }) {
      if (trust === 'operator') return;
      for (const [setting, suggestion] of Object.entries(settings))
        if (Object.hasOwn(config, setting))
          reporter.report(
            'operators-setting',
            { pointer: childPointer(pointer, setting), part: 'key' },
            { setting, suggestion },
          );
    },
  }),
});
