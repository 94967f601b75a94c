import type { JsonObject } from '../../../../../schema/json/json.ts';

/** The member `errors` of a batch that its provider gave up, with why; nothing where there is no reason. */
export const batchErrors = (messages: readonly string[]): JsonObject =>
  messages.length === 0
    ? {}
    : {
        errors: {
          object: 'list',
          data: messages.map((message) => ({ code: 'provider_error', message, param: null, line: null })),
        },
      };
