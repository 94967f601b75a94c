import { reportCredentials } from '../../resolve/secrets/report-credentials.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

/** Refuses credentials in what overrides write into requests: the plan has it as it is. */
export const credentialValues: Check = defineCheck({
  name: 'credential-values',
  create: (context) => ({
    node({ own: { override_params: params } }) {
      if (params !== undefined) reportCredentials(params.value, params.pointer, context);
    },
  }),
});
