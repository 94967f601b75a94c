import { gatewayError } from '../../../../schema/errors.ts';
import { headerValue } from '../../../sdk/http.ts';
import type { ReceivedBody } from '../../../sdk/route-row.ts';
import { type AskS3, putObject } from '../../files/blobs/s3/put-object.ts';
import { xmlValue, xmlValues } from '../../files/blobs/s3/xml.ts';
import type { Account } from '../account.ts';
import { answerBytes } from '../answer-bytes.ts';
import { accepted } from '../ask.ts';
import type { CloudStorage, StoredObject } from './cloud-storage.ts';

const pathOf = ({ bucket, key }: StoredObject): string =>
  `/${bucket}/${key.split('/').map(encodeURIComponent).join('/')}`;

const received = (bytes: Uint8Array): ReceivedBody => ({
  ...{ contentType: 'application/octet-stream', encoding: undefined, length: bytes.length },
  body: { kind: 'bytes', bytes },
});

const asking =
  (account: Account, bucket: string): AskS3 =>
  async ({ method, key, query = '', body }) => {
    const answer = await accepted(account, {
      ...{ method, path: `${pathOf({ bucket, key })}${query === '' ? '' : `?${query}`}`, isStorage: true },
      ...(body === undefined ? {} : { received: received(body) }),
    });
    const text = (await answerBytes(answer.body)).toString();
    return { headers: { etag: headerValue(answer.headers, 'etag') }, text };
  };

/** A storage with the interface of S3: https://docs.aws.amazon.com/AmazonS3/latest/API/ */
export const objectStorage = (
  about: Pick<CloudStorage, 'scheme' | 'setting' | 'header' | 'isBucket'>,
): CloudStorage => ({
  ...about,
  write: (account, { bucket, key }, bytes) =>
    putObject(asking(account, bucket), {
      ...{ key, bytes },
      unexpected: (what) =>
        gatewayError('unreadable-answer', { provider: account.provider, reason: `its storage ${what}.` }),
    }),
  async remove(account, { bucket, key }) {
    await asking(account, bucket)({ method: 'DELETE', key });
  },
  reading: (at) => ({ method: 'GET', path: pathOf(at), isStorage: true }),
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
