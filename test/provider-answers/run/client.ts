import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { JsonObject } from '../../../schema/json/json.ts';
import { parseObject } from '../../../schema/json/parse-json.ts';
import { type ApiDocument, type Operation, toOperations } from '../../api/document/operations.ts';
import type { GatewayProcess } from '../../support/gateway-process.ts';
import { adminKey } from '../../support/stored-gateway.ts';

/** A request for an operation of the control plane. */
export interface Asking {
  readonly operation: string;
  /** Below `/v1`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: object;
  /** True where the answer of the provider is passed on as it is. */
  readonly isPassed?: boolean;
}

/** An answer, and the faults of it. */
export interface Answered {
  readonly status: number;
  readonly text: string;
  readonly body: JsonObject;
  readonly faults: readonly string[];
}

export type Client = (asking: Asking) => Promise<Answered>;

/** The credential of every account of these tests that has one: nothing that is answered or printed may have it. */
export const credential = 'sk-1';

const stackTrace = /\n\s+at .+:\d+:\d+|node:internal|\/node_modules\/|\.ts:\d+/;

/** Longer than anything that is waited for. */
const longestMs = 60_000;

/** Makes what asks a gateway, and holds its answers against its own document. */
export const openClient = async ({ baseUrl }: Pick<GatewayProcess, 'baseUrl'>): Promise<Client> => {
  const admin = { 'x-gw-api-key': adminKey };
  const document = (await (await fetch(`${baseUrl}/openapi.json`, { headers: admin })).json()) as ApiDocument;
  const operations = new Map(toOperations(document).map((each) => [each.operationId, each]));
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const judges = new Map<string, ValidateFunction>();
  const judge = ({ operationId, replies }: Operation): ValidateFunction => {
    const made = judges.get(operationId) ?? ajv.compile(replies[200]?.content?.['application/json']?.schema ?? {});
    judges.set(operationId, made);
    return made;
  };

  const toFaults = (
    operation: Operation,
    { status, text, isPassed }: { status: number; text: string; isPassed: boolean },
  ) => {
    const fits = judge(operation);
    const isKnown = operation.replies[status] !== undefined || operation.replies.default !== undefined;
    const isWhole = status !== 200 || isPassed || text === '' || fits(parseObject(text) ?? {});
    return [
      ...(isKnown ? [] : [`the status ${status} is not documented`]),
      ...(text.includes('AB04') ? ['it is an internal error'] : []),
      ...(isWhole ? [] : [`the body does not fit its schema: ${ajv.errorsText(fits.errors, { dataVar: '' })}`]),
      ...(stackTrace.test(text) ? ['it has something like a stack trace'] : []),
      ...(text.includes(credential) ? ['it has the credential'] : []),
    ];
  };

  return async ({ operation: name, path, headers, body, isPassed = false }) => {
    const operation = operations.get(name);
    if (operation === undefined) throw new Error(`There is no operation ${name}.`);
    const sent = body === undefined || body instanceof FormData ? body : JSON.stringify(body);
    const type = typeof sent === 'string' ? { 'content-type': 'application/json' } : {};
    try {
      const answer = await fetch(`${baseUrl}${path}`, {
        ...{ method: operation.method, headers: { ...admin, ...type, ...headers } },
        ...(sent === undefined ? {} : { body: sent }),
        // A redirect is passed on as it is, too.
        redirect: 'manual',
        signal: AbortSignal.timeout(longestMs),
      });
      const { status } = answer;
      // An answer that a provider gives bit by bit may break off.
      const text = await answer.text().catch(() => '');
      return { status, text, body: parseObject(text) ?? {}, faults: toFaults(operation, { status, text, isPassed }) };
    } catch (error) {
      // An answer that is passed on as it comes breaks off as that does.
      const mayBreakOff = isPassed && error instanceof TypeError;
      return { status: 0, text: '', body: {}, faults: mayBreakOff ? [] : [`there was no answer: ${String(error)}`] };
    }
  };
};
