import type { JsonObject } from '../../../schema/json/json.ts';
import { defineProvider, type Provider } from '../../sdk/provider/provider.ts';
import { isClaude } from '../shared/claude.ts';
import { onlyOpenaiCalls } from '../shared/only-openai-calls.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';
import { textSetting } from '../shared/text-setting.ts';

/** Underscores in account names are hyphens in hosts: https://docs.snowflake.com/en/user-guide/admin-account-identifier */
const accountHost = (settings: JsonObject): string => {
  const account = textSetting(settings, 'snowflake_account');
  if (account === undefined) throw new Error('snowflake_account is missing.');
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,126}(?:\.[A-Za-z0-9-]{1,63}){0,3}$/.test(account))
    throw new Error('snowflake_account must be the identifier of an account, such as "myorg-account1".');
  return `${account.toLowerCase().replaceAll('_', '-')}.snowflakecomputing.com`;
};

/**
 * Snowflake Cortex: https://docs.snowflake.com/en/user-guide/snowflake-cortex/cortex-rest-api. The credential is a programmatic
 * access token, or another bearer token of Snowflake.
 */
export const cortex: Provider = defineProvider({
  ...openaiCompatible({
    id: 'cortex',
    documentation: 'https://docs.snowflake.com/en/user-guide/snowflake-cortex/cortex-rest-api',
    baseUrl: (settings) => `https://${accountHost(settings)}/api/v2/cortex/v1`,
    operations: ['chat', 'messages'],
    // Errors are flat: `{"code": "390303", "message": "…"}`.
    errorsVary: true,
    changesAccount: onlyOpenaiCalls,
    unconfirmed: ['drop', 'lacks', 'developers', 'stream_options', 'errors'],
  }),
  ownSettings: {
    type: 'object',
    additionalProperties: false,
    properties: {
      snowflake_account: { type: 'string', description: 'The identifier of the account: `<organization>-<account>`.' },
    },
  },
  // Anthropic's format serves only Anthropic's models.
  dialectsOf: (model) => (isClaude(model) ? ['chat', 'messages'] : ['chat']),
});
