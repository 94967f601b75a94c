import type { JsonObject } from '../../../../schema/json/json.ts';
import { awsOrigin } from '../../../providers/auth/aws-origin.ts';
import { signRequest } from '../../../providers/auth/sign-request.ts';
import type { CheckServices } from '../../../sdk/guardrail/guardrail.ts';
import type { Cancellation, RawHeaders } from '../../../sdk/http/http.ts';
import type { AnswerReader } from '../client/answer-reader.ts';
import { askPartner } from '../client/ask-partner.ts';
import { urlBelow } from '../client/base-url.ts';

/** The parameters of `bedrock.guard`. */
export interface GuardParameters {
  readonly guardrailId: string;
  readonly guardrailVersion: string;
  readonly redact: boolean;
  readonly credentials: {
    readonly accessKeyId: string;
    readonly accessKeySecret: string;
    readonly awsSessionToken?: string;
    readonly region: string;
  };
  readonly baseUrl?: string;
}

/** The name in messages. */
export const vendor = 'Amazon Bedrock';

const toRecord = (headers: RawHeaders): Readonly<Record<string, string>> =>
  Object.fromEntries(headers.flatMap((name, at) => (at % 2 === 0 ? [[name, headers[at + 1] ?? '']] : [])));

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ApplyGuardrail.html */
export const applyGuardrail = (
  { guardrailId, guardrailVersion, credentials, baseUrl }: GuardParameters,
  { http, timers }: CheckServices,
): ((body: JsonObject, cancellation: Cancellation) => Promise<AnswerReader>) => {
  const { accessKeyId, accessKeySecret, awsSessionToken, region } = credentials;
  const path = `/guardrail/${encodeURIComponent(guardrailId)}/version/${guardrailVersion}/apply`;
  const url = urlBelow(baseUrl ?? awsOrigin('bedrock-runtime', region), path);
  const { origin, pathname } = new URL(url);
  return (body, cancellation) => {
    const { headers } = signRequest(
      {
        method: 'POST',
        origin,
        path: pathname,
        headers: ['content-type', 'application/json'],
        body: { kind: 'bytes', bytes: Buffer.from(JSON.stringify(body)) },
      },
      { accessKeyId, secretAccessKey: accessKeySecret, sessionToken: awsSessionToken },
      { service: 'bedrock', region, now: timers.wall() },
    );
    return askPartner(http, { vendor, url, headers: toRecord(headers), body, cancellation });
  };
};
