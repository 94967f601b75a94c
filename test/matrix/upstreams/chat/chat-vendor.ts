import type { ReceivedRequest } from '../../../support/servers/upstream-server.ts';

/** The differences between services with chat completions. */
export interface ChatVendor {
  /** The path of chat completions. The first group, if any, is the name of a deployment, which stands for the model. */
  readonly path: RegExp;
  /** The documented members of a request body. */
  readonly members: readonly string[];
  /** What it does with other members. */
  unknown(request: ReceivedRequest): 'refused' | 'dropped';
  /** The kinds of content in a user's message. */
  readonly userParts: readonly string[];
  /** The form of call ids that it accepts. */
  readonly callIds: RegExp;
  /** Whether a strict schema must be closed and require every property. */
  readonly strictSchemas: boolean;
  /** Whether the usage of a stream must be requested. */
  readonly streamUsage: 'requested' | 'always';
  /** Whether functions are the only tools. Others are then rejected. */
  readonly functionsOnly: boolean;
  /**
   * How calls are written: as OpenAI does, or without a type and, in streams, without an index, each in one piece and all in
   * the last chunk.
   */
  readonly calls: 'openai' | 'bare';
  /** The members of a function call that comes back. */
  readonly callMembers: readonly string[];
  /** The members of a message by the model. */
  readonly assistantMembers: readonly string[];
  /** The member of answers that contains reasoning. */
  readonly reasoning: 'reasoning_content' | 'reasoning' | 'thinking';
  /** Whether its messages have the member `refusal`. Without it, a refusal is ordinary text. */
  readonly hasRefusals: boolean;
  /** What a stream starts with, before the first choice. */
  readonly opening?: object;
  /** Whether, according to the documentation, answers with status 429 have the header `retry-after`. */
  readonly sendsRetryAfter: boolean;
  /** The body of an error. */
  error(status: number, message: string): object;
}

/** The error types by status, of OpenAI and of services that follow it. */
export const openaiErrorType = (status: number): string =>
  ({ 401: 'authentication_error', 403: 'permission_error', 404: 'not_found_error', 429: 'rate_limit_error' })[status] ??
  (status >= 500 ? 'server_error' : 'invalid_request_error');
