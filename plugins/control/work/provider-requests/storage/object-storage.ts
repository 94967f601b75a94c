import { parseObject } from '../../../../../schema/json/parse-json.ts';
import { headerValue } from '../../../../sdk/http/http.ts';
import type { ReceivedBody } from '../../../../sdk/route/route-row.ts';
import { type AskS3, putObject, xmlValue, xmlValues } from '../../../kernel/blobs/s3/put-object.ts';
import { headerError } from '../../../kernel/requests/refusals.ts';
import { type Account, accountHeaders } from '../account.ts';
import { answerBytes } from '../answer-bytes.ts';
import { readCount } from '../read-values.ts';
import { requestOk, unreadableAnswer } from '../request-json.ts';
import { type CloudStorage, hasPath, type StoredObject, settingOrHeader, type WriteOptions } from './cloud-storage.ts';

interface StorageTraits extends Pick<CloudStorage, 'scheme' | 'setting' | 'header' | 'isBucket'> {
  /** The header that stores a note with an object. */
  readonly noteHeader: string;
  /** Returns the headers of writes for an account. Throws the `GatewayError` `invalid-input`. */
  writing?(account: Account): Readonly<Record<string, string>>;
}

const toPath = ({ bucket, key }: StoredObject): string =>
  `/${bucket}/${key.split('/').map(encodeURIComponent).join('/')}`;

const received = (bytes: Uint8Array): ReceivedBody => ({
  ...{ contentType: 'application/octet-stream', encoding: undefined, length: bytes.length },
  body: { kind: 'bytes', bytes },
});

const asking =
  (account: Account, bucket: string): AskS3 =>
  async ({ method, key, query = '', headers = {}, body }) => {
    const answer = await requestOk(account, {
      ...{ method, path: `${toPath({ bucket, key })}${query === '' ? '' : `?${query}`}`, isStorage: true },
      headers: Object.entries(headers).flat(),
      outlivesClient: method === 'DELETE',
      // Limits count an object in many parts as one request.
      isCounted: !query.includes('uploadId='),
      ...(body === undefined ? {} : { received: received(body) }),
    });
    const text = (await answerBytes(answer.body)).toString();
    return { headers: { etag: headerValue(answer.headers, 'etag') }, text };
  };

/** The maximum number of pages in the listing of a folder, each with up to 1,000 objects. */
const maxPages = 100;

/** A storage with the interface of S3: https://docs.aws.amazon.com/AmazonS3/latest/API/ */
const objectStorage = ({ noteHeader, writing, ...traits }: StorageTraits): CloudStorage => ({
  ...traits,
  write: (account, { bucket, key }, bytes, { note, isNew = false }: WriteOptions = {}) =>
    putObject(asking(account, bucket), {
      ...{ key, bytes },
      headers: {
        ...writing?.(account),
        ...(note === undefined ? {} : { [noteHeader]: Buffer.from(JSON.stringify(note)).toString('base64url') }),
      },
      lastHeaders: isNew ? { 'if-none-match': '*' } : {},
      unexpected: (what) => unreadableAnswer(account, `its storage ${what}.`),
    }),
  reading: (at) => ({ method: 'GET', path: toPath(at), isStorage: true }),
  async head(account, at) {
    const { headers, body } = await requestOk(account, { method: 'HEAD', path: toPath(at), isStorage: true });
    await answerBytes(body);
    const note = Buffer.from(headerValue(headers, noteHeader) ?? '', 'base64url').toString();
    return { bytes: readCount(headerValue(headers, 'content-length')), note: parseObject(note) ?? {} };
  },
  async remove(account, { bucket, key }) {
    await asking(account, bucket)({ method: 'DELETE', key });
  },
  async *list(account, { bucket, key: prefix }) {
    const ask = asking(account, bucket);
    const listed = new Set<string>();
    let from = '';
    for (let page = 0; page < maxPages; page += 1) {
      const query = `list-type=2&prefix=${encodeURIComponent(prefix)}${from}`;
      const { text } = await ask({ method: 'GET', key: '', query });
      if (!text.includes('</ListBucketResult>') && !/<ListBucketResult[^>]*\/>/.test(text))
        throw unreadableAnswer(account, 'the list of its objects is incomplete.');
      for (const key of xmlValues(text, 'Key')) {
        if (!key.startsWith(prefix) || !hasPath(key) || listed.has(key))
          throw unreadableAnswer(account, 'the list of its objects contains an unexpected object.');
        listed.add(key);
        yield { bucket, key };
      }
      const next = xmlValue(text, 'NextContinuationToken') ?? '';
      if (next === '') return;
      from = `&continuation-token=${encodeURIComponent(next)}`;
    }
    throw unreadableAnswer(account, `the list of its objects has more than ${maxPages} pages.`);
  },
});

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/serv-side-encryption.html */
const members = [
  {
    setting: 'cloudc_server_side_encryption',
    header: accountHeaders.encryption,
    sent: 'x-amz-server-side-encryption',
    values: /^(?:AES256|aws:kms|aws:kms:dsse)$/,
    wanted: 'AES256, aws:kms or aws:kms:dsse',
  },
  {
    setting: 'cloudc_server_side_encryption_kms_key_id',
    header: accountHeaders.encryptionKey,
    sent: 'x-amz-server-side-encryption-aws-kms-key-id',
    values: /^[\w:/-]{1,2048}$/,
    wanted: 'the id, the alias or the ARN of a key',
  },
] as const;

/**
 * Returns the headers that choose how S3 encrypts an object: from the account's settings, or else from the request. Throws the
 * `GatewayError` `invalid-input` if the request differs from the settings, and for an unknown value.
 */
const s3Encryption = (account: Account): Readonly<Record<string, string>> => {
  const lines: Record<string, string> = {};
  for (const { sent, values, wanted, ...named } of members) {
    const refusal = () => `The settings of the provider "${account.slug}" already choose the encryption of its files.`;
    const value = settingOrHeader(account, named, refusal);
    if (value !== '' && !values.test(value))
      throw headerError(named.header, `S3 has no encryption "${value.slice(0, 100)}".`, `Send ${wanted}.`);
    if (value !== '') lines[sent] = value;
  }
  return lines;
};

/** Amazon S3, which Bedrock reads: https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html */
export const s3: CloudStorage = objectStorage({
  scheme: 's3',
  setting: 'cloudc_s3_bucket',
  header: accountHeaders.s3Bucket,
  noteHeader: 'x-amz-meta-gatewright',
  writing: s3Encryption,
  isBucket: (name) => /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name),
});

/**
 * Google Cloud Storage, which Vertex AI reads, through its S3-compatible interface:
 * https://cloud.google.com/storage/docs/xml-api/overview
 */
export const gcs: CloudStorage = objectStorage({
  scheme: 'gs',
  setting: 'cloudb_storage_bucket_name',
  header: accountHeaders.gcsBucket,
  noteHeader: 'x-goog-meta-gatewright',
  isBucket: (name) => /^[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]$/.test(name),
});
