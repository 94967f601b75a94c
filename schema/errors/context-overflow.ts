/** The code of OpenAI's API for a conversation that is longer than the context window of its model. */
const contextOverflowCode = 'context_length_exceeded';

/** The wordings of providers that have no code for it. */
const words = [
  /context[ _-]?(?:length|window|limit)/,
  /maximum (?:context|prompt length)/,
  /prompt (?:is too long|exceeds max)/,
  /input (?:is )?too long/,
  /input tokens exceed/,
  /too many (?:input )?tokens/,
  /exceeds? the maximum number of tokens/,
  /exceeded model token limit/,
  /token count .{0,40}exceeds/,
  /tokens \+ `?max_new_tokens`? must be/,
  /reduce the length of the (?:messages|prompt|input)/,
  /range of input length/,
];

const anyOfThem = new RegExp(words.map(({ source }) => source).join('|'), 'i');

const statuses: ReadonlySet<number> = new Set([400, 413, 422]);

/** Whether an error of a provider says that the conversation is longer than the context window of its model. */
export const isContextOverflow = (
  status: number,
  { code, message }: { readonly code?: string | undefined; readonly message: string },
): boolean => statuses.has(status) && (code === contextOverflowCode || anyOfThem.test(message));

/** Adds the code by which clients recognise that a conversation is too long for its model, if that is what an error means. */
export const withOverflowCode = <WireError extends Parameters<typeof isContextOverflow>[1]>(
  error: WireError,
  status: number,
): WireError => (isContextOverflow(status, error) ? { ...error, code: contextOverflowCode } : error);
