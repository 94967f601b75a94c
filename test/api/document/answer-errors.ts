import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { closeSchema } from '../../../plugins/sdk/parameters/close-schema.ts';
import type { ParameterSchema } from '../../../plugins/sdk/parameters/from-schema.ts';
import type { ApiAnswer } from '../run/exchange.ts';
import type { ApiDocument, ApiReply, Operation } from './operations.ts';

/** What is wrong with an answer to a request for an operation, or for none; empty if nothing is. */
export type AnswerErrors = (answer: ApiAnswer, operation: Operation | undefined, method: string) => readonly string[];

const stackTrace = /\n\s+at .+:\d+:\d+|node:internal|\/node_modules\/|\.ts:\d+/;

/** The texts that no answer may have: the mark of every credential that was sent, and service keys. */
const secretMark = 'zqsecret';
const serviceKey = /gw-[0-9a-z]{26}-[0-9a-z]{52}/;

/** A credential, with the mark by which it would be recognised in an answer. */
export const secretText = (name: string): string => `${secretMark}-${name}`;

export const isSecretText = (text: string): boolean => text.includes(secretMark);

const makesKeys = ({ method, path }: Operation): boolean => method === 'POST' && path.startsWith('/api-keys');

/** That a provider does not have what is asked for is no failure: the operation passes on what the data path answers. */
const isUnsupported = (status: number, operation: Operation | undefined): boolean =>
  status === 501 && operation?.replies.default !== undefined;

/**
 * That the default config of an organisation was deleted is no failure of a request that is passed on without another. An
 * answer to HEAD has no body that says so, and unlike what is unavailable for a moment it has no time to try again.
 */
const isWithoutConfig = ({ status, headers, body }: ApiAnswer, operation: Operation | undefined): boolean =>
  status === 503 &&
  operation?.isShared === true &&
  (body.length === 0 ? headers['retry-after'] === undefined : body.includes('the default config'));

/** That a provider answers with no list where a workspace would see its own of one is a failure of the provider, as `echo` has none. */
const isUnreadable = ({ status, body }: ApiAnswer, operation: Operation | undefined): boolean =>
  status === 502 &&
  operation?.isShared === true &&
  (body.length === 0 || body.includes('does not follow its documented format'));

const toType = ({ headers }: ApiAnswer): string => (headers['content-type'] ?? '').replace(/;.*/, '').trim();

const parsed = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
};

/** The headers that only some operations have. */
const ownHeaders = ['etag', 'idempotent-replayed'] as const;

const headerErrors = ({ headers }: ApiAnswer, { headers: known = {} }: ApiReply): readonly string[] =>
  ownHeaders
    .filter((name) => headers[name] !== undefined && known[name] === undefined)
    .map((name) => `the header ${name} is not documented`);

const alwaysWrong = (answer: ApiAnswer, operation: Operation | undefined): readonly string[] => {
  const { status, headers, body } = answer;
  const text = `${JSON.stringify(headers)}\n${body.toString('latin1')}`;
  return [
    ...(status >= 500 &&
    !isUnsupported(status, operation) &&
    !isWithoutConfig(answer, operation) &&
    !isUnreadable(answer, operation)
      ? [`the status ${status}`]
      : []),
    ...(stackTrace.test(body.toString('latin1')) ? ['it has something like a stack trace'] : []),
    ...(isSecretText(text) ? ['it has a credential that was sent'] : []),
    ...(serviceKey.test(text) && !(operation !== undefined && makesKeys(operation) && status === 200)
      ? ['it has a service key']
      : []),
    ...(headers['x-gw-trace-id'] === undefined ? ['it has no x-gw-trace-id'] : []),
    ...((status === 405 || (status === 204 && operation === undefined)) && headers.allow === undefined
      ? ['it has no allow']
      : []),
  ];
};

/** What is wrong with an answer that is a provider's, or the data path's (`isBeside`); undefined if it is neither. */
export const passedOnErrors = (
  answer: ApiAnswer,
  operation: Operation,
  isBeside = false,
): readonly string[] | undefined =>
  operation.isShared && (isBeside || answer.headers['x-gw-provider'] !== undefined)
    ? alwaysWrong(answer, operation)
    : undefined;

/**
 * Holds answers against a document. Replies are closed: a member that the document does not name is an error, although
 * readers must accept it.
 */
export const createAnswerErrors = (document: ApiDocument): AnswerErrors => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const { schemas } = document.components as unknown as {
    readonly schemas: Readonly<Record<'Error', ParameterSchema>>;
  };
  const errorSchema = schemas.Error;
  const compiled = new Map<string, ValidateFunction>();
  const judge = (schema: ParameterSchema): ValidateFunction => {
    const text = JSON.stringify(schema);
    const made = compiled.get(text) ?? ajv.compile(closeSchema(schema));
    compiled.set(text, made);
    return made;
  };

  const bodyErrors = (answer: ApiAnswer, { content }: ApiReply): readonly string[] => {
    if (content === undefined) return answer.body.length === 0 ? [] : ['there is a body, and none is documented'];
    const type = toType(answer);
    const described = Object.hasOwn(content, type) ? content[type] : undefined;
    if (described === undefined) return [`the content type "${type}" is not documented`];
    if (described.schema === undefined || type !== 'application/json') return [];
    const value = parsed(answer.body);
    if (value === undefined) return ['the body is not JSON'];
    const fits = judge(described.schema);
    return fits(value) ? [] : [`the body does not fit its schema: ${ajv.errorsText(fits.errors, { dataVar: '' })}`];
  };

  const documented = (answer: ApiAnswer, operation: Operation | undefined, method: string): readonly string[] => {
    // What is said of requests that are for no operation is an error as all errors are.
    const error: ApiReply = { content: { 'application/json': { schema: errorSchema } } };
    if (operation === undefined && method === 'OPTIONS' && answer.status === 204) return bodyErrors(answer, {});
    if (operation === undefined) {
      if (answer.status < 400) return [`the status ${answer.status} for what is not documented`];
      return bodyErrors(answer, error);
    }
    const reply = operation.replies[answer.status] ?? operation.replies.default;
    return reply === undefined
      ? [`the status ${answer.status} is not documented`]
      : [...bodyErrors(answer, reply), ...headerErrors(answer, reply)];
  };

  return (answer, operation, method) => [
    ...alwaysWrong(answer, operation),
    ...(operation !== undefined && answer.headers['cache-control'] !== 'no-store' ? ['it may be cached'] : []),
    ...(method === 'HEAD'
      ? answer.body.length === 0
        ? []
        : ['it has a body']
      : documented(answer, operation, method)),
  ];
};
