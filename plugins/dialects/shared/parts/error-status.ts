/** Returns a number from an error, if it is the status of an error response. */
export const errorStatus = (code: number | undefined): number | undefined =>
  code !== undefined && Number.isInteger(code) && code >= 400 && code <= 599 ? code : undefined;

/** The names by which an error is known. */
export interface ErrorNames {
  readonly code: string | undefined;
  readonly type: string | undefined;
}

/** https://platform.openai.com/docs/guides/error-codes: the status of each code or type in streams of OpenAI's formats. */
const statuses: ReadonlyMap<string, number> = new Map([
  ['invalid_prompt', 400],
  ['invalid_request_error', 400],
  ['insufficient_quota', 429],
  ['rate_limit_exceeded', 429],
  ['rate_limit_error', 429],
  ['server_error', 500],
  ['vector_store_timeout', 500],
]);

/** Returns the status that the code or the type of an error stands for in OpenAI's formats, which write no status into streams. */
export const namedErrorStatus = ({ code, type }: ErrorNames): number | undefined =>
  statuses.get(code ?? '') ?? statuses.get(type ?? '');
