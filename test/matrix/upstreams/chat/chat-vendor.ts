import type { ReceivedRequest } from '../../../support/upstream-server.ts';

/** In what the services that speak chat completions differ. */
export interface ChatVendor {
  /** Where it serves them; a first group is the name of a deployment, which stands for the model. */
  readonly path: RegExp;
  /** The members of a body that it documents. */
  readonly members: readonly string[];
  /** What it does with others. */
  unknown(request: ReceivedRequest): 'refused' | 'dropped';
  /** The kinds of content of a user's message. */
  readonly userParts: readonly string[];
  /** The ids of calls that it accepts. */
  readonly callIds: RegExp;
  /** Whether a strict schema must be closed and require everything. */
  readonly strictSchemas: boolean;
  /** Whether a stream's usage must be requested. */
  readonly streamUsage: 'requested' | 'always';
  /** Whether tools are only functions; others are refused. */
  readonly functionsOnly: boolean;
  /**
   * How calls are written: as OpenAI writes them, or without a type and, in streams, without an index, each in one piece and all
   * in the last chunk.
   */
  readonly calls: 'openai' | 'bare';
  /** The members of a call of a function that comes back. */
  readonly callMembers: readonly string[];
  /** The members of a message of the model. */
  readonly assistantMembers: readonly string[];
  /** Where its answers have reasoning. */
  readonly reasoning: 'reasoning_content' | 'reasoning' | 'thinking';
  /** Whether its messages have the member `refusal`; without it a refusal is text. */
  readonly hasRefusals: boolean;
  /** What a stream begins with, before the first choice. */
  readonly opening?: object;
  /** Whether the documentation says that refusals for too many requests have the header `retry-after`. */
  readonly tellsWait: boolean;
  /** The body of an error. */
  error(status: number, message: string): object;
}

/** The types of errors by status, of OpenAI and of those who follow it. */
export const openaiErrorType = (status: number): string =>
  ({ 401: 'authentication_error', 403: 'permission_error', 404: 'not_found_error', 429: 'rate_limit_error' })[status] ??
  (status >= 500 ? 'server_error' : 'invalid_request_error');
