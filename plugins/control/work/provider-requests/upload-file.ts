import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ReceivedBody } from '../../../sdk/route/route-row.ts';
import type { Account } from './account.ts';
import { readId, requestJson } from './request-json.ts';

export interface FileForm {
  /** The name of the file field; `file` if absent. */
  readonly field?: string;
  /** Text fields, which precede the file. */
  readonly fields: Readonly<Record<string, string>>;
  readonly filename: string;
  /** The size of the file; undefined if it is not known before the file is read. */
  readonly bytes: number | undefined;
  read(): AsyncIterable<Uint8Array>;
}

/** Quotes a name as forms do: https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data */
const quoted = (text: string): string =>
  text.replace(/["\r\n]/g, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`);

/** Creates a form whose file is read while it is sent. The form's length is known in advance if the file's length is. */
export const fileForm = ({ field = 'file', fields, filename, bytes, read }: FileForm): ReceivedBody => {
  const boundary = `gw-${randomUUID()}`;
  const named = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`,
  );
  const disposition = `content-disposition: form-data; name="${quoted(field)}"; filename="${quoted(filename)}"`;
  const head = Buffer.from(
    `${named.join('')}--${boundary}\r\n${disposition}\r\ncontent-type: application/octet-stream\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  const whole = async function* (): AsyncGenerator<Uint8Array> {
    yield head;
    yield* read();
    yield tail;
  };
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    encoding: undefined,
    length: bytes === undefined ? undefined : head.length + bytes + tail.length,
    body: { kind: 'stream', stream: Readable.from(whole(), { objectMode: false }) },
  };
};

/**
 * Uploads a file to an account with OpenAI's API of files, and resolves to its id there. Rejects like `requestJson`.
 * https://platform.openai.com/docs/api-reference/files/create
 */
export const uploadFile = async (account: Account, file: Omit<FileForm, 'fields'>, purpose: string): Promise<string> =>
  readId(
    account,
    await requestJson(account, {
      method: 'POST',
      path: '/files',
      received: fileForm({ ...file, fields: { purpose } }),
    }),
    'file',
  );

/**
 * Runs a function that sends bytes. If reading the bytes threw an error, rejects with that error, whatever the result of the
 * request was.
 */
export const preferBodyError = async <Result>(
  read: () => AsyncIterable<Uint8Array>,
  send: (read: () => AsyncIterable<Uint8Array>) => Promise<Result>,
): Promise<Result> => {
  let reason: { readonly error: unknown } | undefined;
  const noting = async function* (): AsyncGenerator<Uint8Array> {
    try {
      yield* read();
    } catch (error) {
      reason = { error };
      throw error;
    }
  };
  try {
    return await send(noting);
  } catch (error) {
    throw reason === undefined ? error : reason.error;
  }
};
