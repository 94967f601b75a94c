import { gatewayError } from '../../../../schema/errors.ts';
import { isSuccess } from '../../../../schema/status.ts';
import { headerValue } from '../../../sdk/http.ts';
import type { ReceivedBody } from '../../../sdk/route-row.ts';
import { type AskS3, putObject } from '../../files/blobs/s3/put-object.ts';
import type { Account } from '../account.ts';
import { answerBytes } from '../answer-chunks.ts';
import { refusalOf } from '../provider-refusal.ts';
import type { CloudStorage, StoredObject } from './cloud-storage.ts';

const mostAnswerBytes = 1024 * 1024;

const pathOf = ({ bucket, key }: StoredObject): string =>
  `/${bucket}/${key.split('/').map(encodeURIComponent).join('/')}`;

const received = (bytes: Uint8Array): ReceivedBody => ({
  ...{ contentType: 'application/octet-stream', encoding: undefined, length: bytes.length },
  body: { kind: 'bytes', bytes },
});

const asking =
  (account: Account, bucket: string): AskS3 =>
  async ({ method, key, query = '', body }) => {
    const answer = await account.send({
      ...{ method, path: `${pathOf({ bucket, key })}${query === '' ? '' : `?${query}`}`, isStorage: true },
      ...(body === undefined ? {} : { received: received(body) }),
    });
    const text = (await answerBytes(answer.body, mostAnswerBytes)).toString();
    if (!isSuccess(answer.status)) throw refusalOf(answer.status, answer.headers, text);
    return { headers: { etag: headerValue(answer.headers, 'etag') }, text };
  };

/** Amazon S3, where Bedrock has the files of its jobs: https://docs.aws.amazon.com/bedrock/latest/userguide/batch-inference-data.html */
export const s3: CloudStorage = {
  scheme: 's3',
  setting: 'cloudc_s3_bucket',
  header: 'x-gw-cloudc-s3-bucket',
  isBucket: (name) => /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name),
  write: (account, { bucket, key }, bytes) =>
    putObject(asking(account, bucket), {
      ...{ key, bytes },
      unexpected: (what) => gatewayError('unreadable-answer', { provider: account.provider, reason: `S3 ${what}.` }),
    }),
  reading: (at) => ({ method: 'GET', path: pathOf(at), isStorage: true }),
};
