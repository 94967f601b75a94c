import { defineProvider, type Provider } from '../../sdk/provider/provider.ts';
import { anthropicVersion, claudeClientHeaders } from './claude.ts';
import { keyInHeader } from './key-in-header.ts';

const paths = { messages: '/messages', 'messages-count': '/messages/count_tokens' } as const;

/** A provider with Anthropic's messages on Anthropic's paths, and with its key in `x-api-key`. */
export interface ClaudeCompatibleRow
  extends Pick<
    Provider,
    | 'aliases'
    | 'baseUrl'
    | 'changesAccount'
    | 'closed'
    | 'documentation'
    | 'drop'
    | 'errorsVary'
    | 'id'
    | 'listedAs'
    | 'models'
    | 'promptCache'
    | 'stateScope'
    | 'unconfirmed'
  > {
  /** Include `messages-count` if it counts tokens; otherwise the gateway estimates them. */
  readonly operations: readonly (keyof typeof paths)[];
  readonly credential?: Provider['credential'];
  /** How the credential is sent, if not as `x-api-key`. */
  readonly headers?: Provider['headers'];
}

/**
 * Builds the provider for a row. Anthropic's own clients include the version segment in the path, so a passed-through path may
 * contain a second one: https://docs.anthropic.com/en/api/overview
 */
export const claudeCompatible = ({
  operations,
  credential = 'required',
  headers = keyInHeader('x-api-key'),
  ...row
}: ClaudeCompatibleRow): Provider =>
  defineProvider({
    ...row,
    credential,
    speaks: Object.fromEntries(operations.map((operation) => [operation, paths[operation]])),
    clientHeaders: claudeClientHeaders,
    headers: (secrets, settings) => [...headers(secrets, settings), 'anthropic-version', anthropicVersion],
    passThrough: (path) => path.replace(/^\/v1(?=\/)/, ''),
  });
