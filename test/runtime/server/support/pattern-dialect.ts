import { chat } from '../../../../plugins/dialects/chat/chat.ts';
import type { Dialect } from '../../../../plugins/sdk/dialect/dialect.ts';
import { definePlugin, type Plugin } from '../../../../plugins/sdk/plugin/plugin.ts';
import type { ErrorReport } from '../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';

const encodeError = ({ code, status }: ErrorReport): JsonObject => ({ fault: { code, status } });

/** A third-party dialect whose paths name the model and whether the answer is a stream. */
export const patternDialect: Dialect = {
  ...chat,
  id: 'acme',
  routes: [
    { path: '/v1beta/things/{model}:make', stream: false },
    {
      path: '/v1beta/things/{model}:streamMake',
      stream: true,
      framing: (query) => (query.get('alt') === 'sse' ? 'sse' : 'json-array'),
    },
    { path: '/thing/{model}/talk', stream: false },
    { path: '/thing/{model}/talk-stream', stream: true },
    { path: '/v2/talk' },
    { path: '/v1/vectors', operation: 'embed' },
  ],
  siblings: ['/v1beta/things/{model}:count', '/v1beta/things/{model}', '/v2/count'],
  clientCredentials: { headers: ['X-Acme-Key'], query: ['key'] },
  models: {
    path: '/v1beta/things',
    clientHeader: 'x-acme-client',
    encode: (models) => ({ things: models.map(({ id }) => id) }),
  },
  encodeError,
};

export const patternPlugin: Plugin = definePlugin({ name: 'acme-plugin', dialects: [patternDialect] });
