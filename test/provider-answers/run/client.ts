import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { JsonObject } from '../../../schema/json/json.ts';
import { parseObject } from '../../../schema/json/parse-json.ts';
import { type ApiDocument, type Operation, toOperations } from '../../api/document/operations.ts';
import type { GatewayProcess } from '../../support/gateways/gateway-process.ts';
import { adminKey } from '../../support/gateways/stored-gateway.ts';

/** A request for an operation of the control plane. */
export interface Asking {
  readonly operation: string;
  /** Relative to `/v1`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: object;
  /** Whether the provider's answer is passed on unchanged. */
  readonly isPassed?: boolean;
}

/** An answer and its errors. */
export interface Answered {
  readonly status: number;
  readonly text: string;
  readonly body: JsonObject;
  readonly faults: readonly string[];
}

export type Client = (asking: Asking) => Promise<Answered>;

/** The credential of every account in these tests that has one. It must not appear in any answer or output. */
export const credential = 'sk-1';

const stackTrace = /\n\s+at .+:\d+:\d+|node:internal|\/node_modules\/|\.ts:\d+/;

/** Longer than any expected wait. */
const longestMs = 60_000;

/** Creates a client of a gateway that checks its answers against the gateway's own document. */
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
        // A redirect is passed on unchanged as well.
        redirect: 'manual',
        signal: AbortSignal.timeout(longestMs),
      });
      const { status } = answer;
      // An answer that a provider sends in pieces can break off.
      const text = await answer.text().catch(() => '');
      return { status, text, body: parseObject(text) ?? {}, faults: toFaults(operation, { status, text, isPassed }) };
    } catch (error) {
      // An answer that is passed on as it arrives breaks off when the provider's answer does.
      const mayBreakOff = isPassed && error instanceof TypeError;
      return { status: 0, text: '', body: {}, faults: mayBreakOff ? [] : [`there was no answer: ${String(error)}`] };
    }
  };
};
