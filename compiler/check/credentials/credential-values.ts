import { reportCredentials } from '../../resolve/secrets/report-credentials.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

/** Rejects credentials in values that overrides write into requests, because the plan contains them unchanged. */
export const credentialValues: Check = defineCheck({
  name: 'credential-values',
  create: (context) => ({
    node({ own: { override_params: params } }) {
      if (params !== undefined) reportCredentials(params.value, params.pointer, context);
    },
  }),
});
