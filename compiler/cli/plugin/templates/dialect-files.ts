import type { KindFiles, NewPlugin } from './plugin-kind.ts';

/** A dialect of embeddings, which is not translated. */
export const dialectFiles = ({ id }: NewPlugin): KindFiles => ({
  source: `import { type Dialect, defineDialect, type ErrorReport, isJsonObject, type JsonObject, toPointer } from 'gatewright/sdk';

const encodeError = ({ message, code }: ErrorReport): JsonObject => ({ fault: { text: message, code } });

const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
};

/** Returns the message of an error, or the whole body if it has no message. */
const messageOf = (body: string): string => {
  const wire = parsed(body);
  const { text } = isJsonObject(wire) && isJsonObject(wire.fault) ? wire.fault : {};
  return typeof text === 'string' ? text : body || 'The service failed and did not say why.';
};

/**
 * A format for embeddings: { "model", "text" } is answered with { "numbers" }. It is used with providers that speak it. Give it a
 * \`conversation\` to have a dialect of chat translated; the kit then tests both directions.
 */
export const dialect: Dialect = defineDialect({
  id: '${id}',
  operation: 'embed',
  routes: [{ path: '/${id}/embed' }],
  encodeError,
  encodeStreamError: (report) => ({ data: JSON.stringify(encodeError(report)) }),
  decodeError: (_status, body) => ({ message: messageOf(body) }),
  decodeStreamError: ({ data }) => ({ message: messageOf(data) }),
  encodeWireError: ({ message }) => ({ fault: { text: message } }),
  // It does not stream.
  classify: () => 'content',
  texts: ({ text }, phase) =>
    phase === 'input' && typeof text === 'string' ? [{ at: toPointer(['text']), text, kind: 'text' }] : [],
});
`,
  test: `import { test } from 'node:test';
import { testDialect } from 'gatewright/testing';
import { dialect } from './dialect.js';

test('the dialect keeps its contract', () => testDialect(dialect));
`,
  index: 'dialects: [dialect]',
  use: {
    text:
      'A provider of another plugin speaks the dialect, `speaks: { ' +
      id +
      ": '/embed' }`, and a config names that provider:",
    json: { provider: 'acme', api_key: '${env:API_KEY}' },
  },
});
