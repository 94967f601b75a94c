import { gatewayError } from '../../../../../schema/errors/errors.ts';
import { parseObject } from '../../../../../schema/json/parse-json.ts';
import { headerValue } from '../../../../sdk/http/http.ts';
import type { ReceivedBody } from '../../../../sdk/route/route-row.ts';
import { type AskS3, putObject } from '../../blobs/s3/put-object.ts';
import { xmlValue, xmlValues } from '../../blobs/s3/xml.ts';
import type { Account } from '../account.ts';
import { answerBytes } from '../answers/answer-bytes.ts';
import { accepted } from '../ask.ts';
import type { CloudStorage, StoredObject, WriteOptions } from './cloud-storage.ts';

interface StorageTraits extends Pick<CloudStorage, 'scheme' | 'setting' | 'header' | 'isBucket'> {
  /** The header that keeps a note with an object. */
  readonly noteHeader: string;
  /** Headers of what is written for an account. Throws the `GatewayError` `invalid-input`. */
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
    const answer = await accepted(account, {
      ...{ method, path: `${toPath({ bucket, key })}${query === '' ? '' : `?${query}`}`, isStorage: true },
      headers: Object.entries(headers).flat(),
      outlivesClient: method === 'DELETE',
      // An object in many parts is one request for limits.
      isCounted: !query.includes('uploadId='),
      ...(body === undefined ? {} : { received: received(body) }),
    });
    const text = (await answerBytes(answer.body)).toString();
    return { headers: { etag: headerValue(answer.headers, 'etag') }, text };
  };

/** A storage with the interface of S3: https://docs.aws.amazon.com/AmazonS3/latest/API/ */
export const objectStorage = ({ noteHeader, writing, ...traits }: StorageTraits): CloudStorage => ({
  ...traits,
  write: (account, { bucket, key }, bytes, { note, isNew = false }: WriteOptions = {}) =>
    putObject(asking(account, bucket), {
      ...{ key, bytes },
      headers: {
        ...writing?.(account),
        ...(note === undefined ? {} : { [noteHeader]: Buffer.from(JSON.stringify(note)).toString('base64url') }),
      },
      lastHeaders: isNew ? { 'if-none-match': '*' } : {},
      unexpected: (what) =>
        gatewayError('unreadable-answer', { provider: account.provider, reason: `its storage ${what}.` }),
    }),
  reading: (at) => ({ method: 'GET', path: toPath(at), isStorage: true }),
  async head(account, at) {
    const { headers, body } = await accepted(account, { method: 'HEAD', path: toPath(at), isStorage: true });
    await answerBytes(body);
    const note = Buffer.from(headerValue(headers, noteHeader) ?? '', 'base64url').toString();
    return { bytes: Number(headerValue(headers, 'content-length') ?? 0), note: parseObject(note) ?? {} };
  },
  async remove(account, { bucket, key }) {
    await asking(account, bucket)({ method: 'DELETE', key });
  },
  async *list(account, { bucket, key: prefix }) {
    const ask = asking(account, bucket);
    let from = '';
    do {
      const query = `list-type=2&prefix=${encodeURIComponent(prefix)}${from}`;
      const { text } = await ask({ method: 'GET', key: '', query });
      for (const key of xmlValues(text, 'Key')) yield { bucket, key };
      const next = xmlValue(text, 'NextContinuationToken');
      from = next === undefined ? '' : `&continuation-token=${encodeURIComponent(next)}`;
    } while (from !== '');
  },
});
