import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { closeSchema } from '../../../plugins/sdk/parameters/close-schema.ts';
import type { ParameterSchema } from '../../../plugins/sdk/parameters/from-schema.ts';
import type { ApiAnswer } from '../run/exchange.ts';
import type { ApiDocument, ApiReply, Operation } from './operations.ts';

/** Returns the errors in an answer to a request for an operation, or for no operation. Empty if there are none. */
export type AnswerErrors = (answer: ApiAnswer, operation: Operation | undefined, method: string) => readonly string[];

const stackTrace = /\n\s+at .+:\d+:\d+|node:internal|\/node_modules\/|\.ts:\d+/;

/** Texts that no answer may contain: the mark of every sent credential, and service keys. */
const secretMark = 'zqsecret';
const serviceKey = /gw-[0-9a-z]{26}-[0-9a-z]{52}/;

/** Returns a credential with the mark by which it can be recognised in an answer. */
export const secretText = (name: string): string => `${secretMark}-${name}`;

export const isSecretText = (text: string): boolean => text.includes(secretMark);

const makesKeys = ({ method, path }: Operation): boolean => method === 'POST' && path.startsWith('/api-keys');

/** A provider that does not support a request is no error: the operation passes on the answer of the data path. */
const isUnsupported = (status: number, operation: Operation | undefined): boolean =>
  status === 501 && operation?.replies.default !== undefined;

/**
 * A deleted default config of an organisation is no error of a request that is passed on without another config. An answer to
 * HEAD has no body that could say so, and unlike a temporary failure it has no `retry-after`.
 */
const isWithoutConfig = ({ status, headers, body }: ApiAnswer, operation: Operation | undefined): boolean =>
  status === 503 &&
  operation?.isShared === true &&
  (body.length === 0 ? headers['retry-after'] === undefined : body.includes('the default config'));

/** If a provider returns no list where a workspace expects one, that is an error of the provider: `echo` has no lists. */
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

/** Headers that only some operations have. */
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

/**
 * Returns the errors in an answer from a provider or from the data path (`isBeside`), or undefined if the answer is from
 * neither.
 */
export const passedOnErrors = (
  answer: ApiAnswer,
  operation: Operation,
  isBeside = false,
): readonly string[] | undefined =>
  operation.isShared && (isBeside || answer.headers['x-gw-provider'] !== undefined)
    ? alwaysWrong(answer, operation)
    : undefined;

/**
 * Creates a check of answers against a document. Reply schemas are closed: a member that the document does not describe is an
 * error here, although clients must accept it.
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
    // The answer to a request for no operation is an error like all other errors.
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
