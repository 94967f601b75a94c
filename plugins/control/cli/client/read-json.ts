import type { Json } from '../../../../schema/json/json.ts';
import { parseJson } from '../../../../schema/json/parse-json.ts';
import { failed } from '../command-line/command-failure.ts';

/** The longest answer that is read. */
const maxBytes = 64 * 1024 * 1024;

const readAll = async (answer: Response): Promise<string> => {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of answer.body ?? []) {
    bytes += part.length;
    if (bytes > maxBytes)
      throw failed(`The answer is longer than ${maxBytes / 1024 / 1024} MiB.`, 'Ask for less: --page-size 100.');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
};

/** The JSON of an answer; an empty object if the answer is empty. Rejects with a `CommandFailure` where it is no JSON. */
export const readJson = async (answer: Response, origin: string): Promise<Json> => {
  const text = await readAll(answer);
  const body = text === '' ? {} : parseJson(text);
  if (body !== undefined) return body;
  throw failed(
    `${origin} answered with the status ${answer.status} and no JSON.`,
    'Correct --url or GW_URL, if that is no gateway.',
  );
};
