import { onlyAllows } from '../../sdk/provider/account-changes/only-allows.ts';
import { defineProvider, type Provider } from '../../sdk/provider/provider.ts';
import { bearer } from '../shared/bearer.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';
import { pathSetting } from '../shared/path-setting.ts';
import { settingHeader } from '../shared/setting-header.ts';

/** The first path segments of calls to models. The model follows `run`. */
const calls: ReadonlySet<string> = new Set([
  ...['run', 'chat', 'completions', 'responses', 'messages', 'embeddings', 'tomarkdown'],
]);

/**
 * https://developers.cloudflare.com/workers-ai/configuration/open-ai-compatibility. The same API serves the models of other
 * makers through Cloudflare's AI Gateway, by names such as `openai/gpt-5.5`:
 * https://developers.cloudflare.com/changelog/post/2026-05-21-rest-api/
 */
export const workersAi: Provider = defineProvider({
  ...openaiCompatible({
    id: 'workers-ai',
    aliases: ['cloudflare'],
    documentation: 'https://developers.cloudflare.com/workers-ai/configuration/open-ai-compatibility',
    baseUrl: (settings) =>
      `https://api.cloudflare.com/client/v4/accounts/${pathSetting(settings, 'workers_ai_account_id')}/ai`,
    operations: ['chat', 'responses', 'embeddings', 'messages'],
    // Its models are also called at paths without a version, such as `/run/@cf/…`, so the base URL has none.
    paths: {
      chat: '/v1/chat/completions',
      responses: '/v1/responses',
      embeddings: '/v1/embeddings',
      messages: '/v1/messages',
    },
    // Cloudflare's own errors are a list: `{"result": null, "success": false, "errors": [{"code": 7003, "message": "…"}]}`.
    errorsVary: true,
    unconfirmed: ['drop', 'lacks', 'developers', 'stream_options'],
  }),
  ownSettings: {
    type: 'object',
    additionalProperties: false,
    properties: {
      workers_ai_account_id: { type: 'string', description: 'The id of the Cloudflare account.' },
      workers_ai_gateway_id: {
        type: 'string',
        description:
          'The id of the AI Gateway that requests go through. Defaults to the default gateway of the account.',
      },
    },
  },
  headers: (credential, settings) => [
    ...bearer(credential),
    // Requests go through the account's default gateway, or through the one that this header names.
    ...settingHeader(settings, 'workers_ai_gateway_id', 'cf-aig-gateway-id'),
  ],
  changesAccount: onlyAllows(({ method, segments: [first = ''] }) => method === 'POST' && calls.has(first)),
});
