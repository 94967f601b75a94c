import { framings } from '../../../plugins/sdk/framings/framings.ts';
import { toBuffer } from '../../../plugins/sdk/http/to-buffer.ts';
import type { ErrorReport } from '../../../schema/errors/errors.ts';
import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';
import { parseExactObject, parseObject } from '../../../schema/json/parse-json.ts';
import { plainErrorText } from '../../http/answer/plain-error-text.ts';

/** The maximum length of an error that is not JSON. */
const maxErrorChars = 2000;

/** Headers that describe the transfer of an HTTP answer. */
const ofTransfer: ReadonlySet<string> = new Set(['content-type', 'content-length', 'date', 'connection']);

const toErrorEvent = (status: number, text: string, headers: Iterable<[string, string]>): JsonObject => {
  const { error } = parseObject(text) ?? {};
  return {
    type: 'error',
    status,
    error: isJsonObject(error) ? error : { message: text.slice(0, maxErrorChars), type: 'api_error', code: null },
    headers: Object.fromEntries([...headers].filter(([name]) => !ofTransfer.has(name))),
  };
};

/** Returns the event for an error of the gateway, with the status that it has over HTTP. */
export const errorEvent = (report: ErrorReport): JsonObject => toErrorEvent(report.status, plainErrorText(report), []);

/** Returns the events of an answer to a request. Rejects if it breaks off. */
export async function* messageEvents(response: Response): AsyncGenerator<JsonObject> {
  const { status, headers, body } = response;
  if (!response.ok || body === null) {
    yield toErrorEvent(status, await response.text(), headers);
    return;
  }
  if (headers.get('content-type')?.startsWith(framings.sse.contentType) !== true) {
    yield { type: 'response.completed', response: parseExactObject(await response.text()) ?? null };
    return;
  }
  const splitter = framings.sse.createSplitter();
  for await (const chunk of body)
    for (const { data } of splitter.push(toBuffer(chunk)).frames) {
      const event = parseExactObject(data);
      if (event !== undefined) yield event;
    }
}
