import { type Check, defineCheck } from './define-check.ts';

/** Output checks read whole answers, so requests for a stream are refused; the author of the config should know. */
export const streams: Check = defineCheck({
  name: 'streams',
  create: ({ reporter }) => ({
    leaf({ settings: { outputHooks, override_params: params } }) {
      const [first] = outputHooks?.value ?? [];
      if (first === undefined || params?.value.stream === false) return;
      reporter.report('streams-refused', { pointer: first.pointer, part: 'value' }, {});
    },
  }),
});
