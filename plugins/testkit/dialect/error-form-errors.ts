import { errorReport } from '../../../schema/errors/errors.ts';
import { errorText } from '../../../schema/text/error-text.ts';
import type { Dialect } from '../../sdk/dialect/dialect.ts';
import { operations } from '../../sdk/exchange/operations.ts';

const report = errorReport('request-timeout', { ms: 250 });

const law = (name: string, holds: () => boolean): readonly string[] => {
  try {
    return holds() ? [] : [name];
  } catch (error) {
    return [`${name}: ${errorText(error)}`];
  }
};

const streamErrorErrors = (dialect: Dialect): readonly string[] => [
  ...law(
    'encodeStreamError must be a frame that classify calls an error',
    () => dialect.classify(dialect.encodeStreamError(report)) === 'error',
  ),
  ...law('decodeStreamError must read what encodeStreamError writes', () =>
    dialect.decodeStreamError(dialect.encodeStreamError(report)).message.includes(report.message),
  ),
];

/** Returns the errors in how a dialect encodes and decodes errors: the gateway's own, a provider's, and those inside a stream. */
export const errorFormErrors = (dialect: Dialect): readonly string[] => [
  ...law("encodeError must carry the report's message", () =>
    JSON.stringify(dialect.encodeError(report)).includes(report.message),
  ),
  ...law('decodeError must read what encodeError writes', () =>
    dialect.decodeError(report.status, JSON.stringify(dialect.encodeError(report))).message.includes(report.message),
  ),
  ...law('decodeError must read what encodeWireError writes', () => {
    const written = JSON.stringify(dialect.encodeWireError({ message: 'Too fast.', type: 'rate_limit_error' }, 429));
    return dialect.decodeError(429, written).message === 'Too fast.';
  }),
  ...law('decodeError must use a body that is not JSON as the message', () =>
    dialect.decodeError(502, 'Bad gateway').message.includes('Bad gateway'),
  ),
  ...['', 'null', '{}', '[]', '{"error":1}'].flatMap((body) =>
    law(`decodeError must return a message for the body ${JSON.stringify(body)}`, () => {
      const { message } = dialect.decodeError(500, body);
      return typeof message === 'string' && message !== '';
    }),
  ),
  ...(operations[dialect.operation].mayStream ? streamErrorErrors(dialect) : []),
];
