import { s3Origin, signS3 } from '../providers/auth/s3-request.ts';
import type { AwsCredentials } from '../providers/auth/sign-v4.ts';
import { toSent } from '../sdk/delivery/to-sent.ts';
import { defineLogSink, type LogSink, type SinkRecord } from '../sdk/sink/sink.ts';
import { encodedBody } from './shared/encoded-body.ts';

const megabyte = 1024 * 1024;

/** Returns the keys in the options, or those in the environment as AWS tools read them. Throws an `Error` if there are none. */
const findCredentials = (given: {
  readonly access_key_id?: string;
  readonly secret_access_key?: string;
  readonly session_token?: string;
}): AwsCredentials => {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
  const isGiven = given.access_key_id !== undefined;
  const accessKeyId = isGiven ? given.access_key_id : AWS_ACCESS_KEY_ID;
  const secretAccessKey = isGiven ? given.secret_access_key : AWS_SECRET_ACCESS_KEY;
  const sessionToken = isGiven ? given.session_token : AWS_SESSION_TOKEN;
  if (!accessKeyId || !secretAccessKey)
    throw new Error(
      'There are no AWS keys: set "access_key_id" and "secret_access_key", or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    );
  return { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) };
};

/**
 * Returns the name of an object, which is sorted by time and the same each time the batch is sent:
 * `2026/02/14/09/01a1fcb4-….ndjson.gz`.
 */
const toName = ({ id, createdAt }: Pick<SinkRecord, 'id' | 'createdAt'>, ending: string): string =>
  `${new Date(createdAt).toISOString().slice(0, 13).replace(/[-T]/g, '/')}/${id}${ending}`;

/** Returns the code of an S3 error, such as `AccessDenied`. */
const findCode = (xml: string): string | undefined => /<Code>([\w.]{1,64})<\/Code>/.exec(xml)?.[1];

/**
 * Whether an S3 error with status 400 is not caused by the object but by the credential, the region, the encryption key or the
 * transfer. https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
 */
const isOfRequest = (code: string): boolean =>
  /^(?:(?:Expired|Invalid)Token|TokenRefreshRequired|AuthorizationHeaderMalformed|KMS\.\w+|RequestTimeout|IncompleteBody|BadDigest)$/.test(
    code,
  );

/** Writes records to objects in a bucket. */
export const s3: LogSink = defineLogSink({
  id: 's3',
  options: {
    type: 'object',
    required: ['url'],
    properties: {
      url: {
        type: 'string',
        pattern: '^s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/[A-Za-z0-9._~-]+)*/?$',
        description: 'The bucket, and a prefix for the names of objects.',
      },
      endpoint: {
        type: 'string',
        pattern: '^https?://[^@/?#\\s]+/?$',
        description: 'The URL of the service, if it is not AWS.',
      },
      region: {
        type: 'string',
        pattern: '^[a-z0-9-]+$',
        default: 'us-east-1',
        description: 'The region of the bucket.',
      },
      path_style: {
        type: 'boolean',
        description: 'Whether the bucket is in the path; if absent, only if there is an endpoint.',
      },
      access_key_id: {
        type: 'string',
        format: 'secret',
        minLength: 1,
        description: 'The access key id; that of AWS_ACCESS_KEY_ID if absent.',
      },
      secret_access_key: {
        type: 'string',
        format: 'secret',
        minLength: 1,
        description: 'The secret access key; that of AWS_SECRET_ACCESS_KEY if absent.',
      },
      session_token: {
        type: 'string',
        format: 'secret',
        minLength: 1,
        description: 'The session token; that of AWS_SESSION_TOKEN if absent.',
      },
      gzip: { type: 'boolean', default: true, description: 'Whether objects are compressed.' },
      seconds: {
        type: 'integer',
        minimum: 1,
        maximum: 900,
        default: 60,
        description: 'How long an object waits for further records before it is written.',
      },
      max_mb: {
        type: 'integer',
        minimum: 1,
        maximum: 64,
        default: 8,
        description: 'The maximum size of an object before compression.',
      },
      encryption: {
        type: 'string',
        enum: ['AES256', 'aws:kms', 'aws:kms:dsse'],
        description: 'How the service encrypts objects; the default of the bucket if absent.',
      },
      kms_key_id: { type: 'string', pattern: '^[\\w:/-]{1,2048}$', description: 'The KMS key that encrypts them.' },
    },
  },
  faults: ({ access_key_id, secret_access_key, kms_key_id, encryption }) => [
    ...((access_key_id === undefined) === (secret_access_key === undefined)
      ? []
      : ['Set "access_key_id" and "secret_access_key" together.']),
    ...(kms_key_id !== undefined && !encryption?.startsWith('aws:kms')
      ? ['"kms_key_id" needs "encryption": "aws:kms" beside it.']
      : []),
  ],
  bounds: ({ seconds, max_mb }) => ({
    ...{ gatherMs: seconds * 1000, batchBytes: max_mb * megabyte, batchItems: 20_000 },
    // One workspace may fill an object, and continue while that object is being sent.
    ...{ items: 160_000, bytes: Math.max(64, max_mb * 8) * megabyte },
  }),
  create(options, { http, timers }) {
    const { url, region, endpoint, path_style, gzip, encryption, kms_key_id } = options;
    const [, bucket = '', prefix = ''] = /^s3:\/\/([^/]+)(?:\/(.*?))?\/?$/.exec(url) ?? [];
    const place = {
      ...{ bucket, region },
      endpoint: endpoint ?? `https://s3.${region}.amazonaws.com`,
      isPathStyle: path_style ?? endpoint !== undefined,
    };
    const origin = s3Origin(place);
    findCredentials(options);
    const described = {
      'content-type': 'application/x-ndjson',
      ...(encryption === undefined ? {} : { 'x-amz-server-side-encryption': encryption }),
      ...(kms_key_id === undefined ? {} : { 'x-amz-server-side-encryption-aws-kms-key-id': kms_key_id }),
    };
    return {
      async send(records, { cancellation }) {
        const [first] = records;
        if (first === undefined) return { kind: 'delivered' };
        const text = `${records.map(({ json }) => json).join('\n')}\n`;
        const { body: encoded } = await encodedBody(text, gzip);
        const body = typeof encoded === 'string' ? Buffer.from(encoded) : encoded;
        const key = `${prefix === '' ? '' : `${prefix}/`}${toName(first, gzip ? '.ndjson.gz' : '.ndjson')}`;
        const now = timers.wall();
        const bucketNow = { ...place, credentials: findCredentials(options) };
        const { path, headers } = signS3({ method: 'PUT', key, headers: described, body }, bucketNow, now);
        const { host: _host, ...sent } = headers;
        const answer = await http.send({ method: 'PUT', url: `${origin}${path}`, headers: sent, body, cancellation });
        const code = findCode(answer.text);
        const answered = toSent(answer, { now, what: code });
        return answered.kind === 'refused' && code !== undefined && isOfRequest(code)
          ? { kind: 'again', reason: answered.reason }
          : answered;
      },
    };
  },
});
