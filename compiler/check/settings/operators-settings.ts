import { childPointer } from '../../../schema/json/pointer.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

/** Settings that make the gateway send requests of its own, and what anyone but its operator can do instead. */
const settings = {
  probe:
    'Remove it: a request that succeeds after the cooldown closes the circuit. Or ask the operator to serve the config.',
} as const;

/** Checks that a config that is not the operator's sends no requests besides those of its callers. */
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
