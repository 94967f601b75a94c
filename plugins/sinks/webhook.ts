import { webhookSigner } from '../sdk/delivery/sign-webhook.ts';
import { toSent } from '../sdk/delivery/to-sent.ts';
import { defineLogSink, type LogSink } from '../sdk/sink/sink.ts';
import { encodedBody } from './shared/encoded-body.ts';
import { urlPattern } from './shared/url-option.ts';

const forms = {
  json: { type: 'application/json', write: (records: readonly string[]) => `[${records.join(',')}]` },
  ndjson: { type: 'application/x-ndjson', write: (records: readonly string[]) => `${records.join('\n')}\n` },
} as const;

/** Matches headers that describe the body or are part of its signature. */
const ownHeaders =
  /^(?:content-(?:type|encoding|length)|transfer-encoding|host|connection|webhook-(?:id|timestamp|signature))$/i;

/** Posts records to a URL, signed according to Standard Webhooks. */
export const webhook: LogSink = defineLogSink({
  id: 'webhook',
  options: {
    type: 'object',
    required: ['url'],
    properties: {
      url: { type: 'string', pattern: urlPattern, description: 'The URL to which records are posted.' },
      secret: {
        type: 'string',
        format: 'secret',
        minLength: 1,
        description: 'The secret that signs each body: whsec_ and base64.',
      },
      previous_secret: {
        type: 'string',
        format: 'secret',
        minLength: 1,
        description: 'Also signs each body, while receivers switch to a new secret.',
      },
      headers: {
        type: 'object',
        additionalProperties: { type: 'string', format: 'secret' },
        maxProperties: 32,
        description: 'Additional headers, such as "authorization".',
      },
      format: {
        type: 'string',
        enum: ['json', 'ndjson'],
        default: 'json',
        description: 'An array, or one record per line.',
      },
      gzip: { type: 'boolean', default: false, description: 'Whether bodies are compressed.' },
      max_records: {
        type: 'integer',
        minimum: 1,
        maximum: 5000,
        default: 500,
        description: 'The maximum number of records in a body.',
      },
    },
  },
  faults: ({ headers = {}, secret, previous_secret }) => [
    ...Object.keys(headers)
      .filter((name) => ownHeaders.test(name) || !/^[\w-]+$/.test(name))
      .map((name) => `The header "${name}" cannot be set.`),
    ...(previous_secret !== undefined && secret === undefined ? ['"previous_secret" needs a "secret" as well.'] : []),
  ],
  bounds: ({ max_records }) => ({ batchItems: max_records }),
  create({ url, secret, previous_secret, headers = {}, format, gzip }, { http, timers }) {
    const secrets = [secret, previous_secret].flatMap((each) => (each === undefined ? [] : [each]));
    const sign = webhookSigner(secrets);
    const { type, write } = forms[format];
    return {
      async send(records, { id, cancellation }) {
        const text = write(records.map(({ json }) => json));
        const now = timers.wall();
        const { 'webhook-signature': signature, ...named } = sign({ id, now, body: text });
        const { body, headers: encoding } = await encodedBody(text, gzip);
        const answer = await http.send({
          ...{ url, body, cancellation },
          headers: {
            ...{ 'content-type': type, ...encoding, ...headers, ...named },
            ...(secrets.length === 0 ? {} : { 'webhook-signature': signature }),
          },
        });
        return toSent(answer, { now });
      },
    };
  },
});
