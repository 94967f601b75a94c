import type { LackedContent } from '../../sdk/dialect/dialect.ts';
import { defineProvider, type Provider, type ProviderLoss } from '../../sdk/provider/provider.ts';
import { chatWithSystemRoles, developerMarks } from './as-system.ts';
import { bearer } from './bearer.ts';
import { claudeClientHeaders } from './claude.ts';
import { customToolLosses } from './custom-tool-losses.ts';

/** The paths of each dialect at providers that follow OpenAI. */
const paths = {
  chat: '/chat/completions',
  completions: '/completions',
  embeddings: '/embeddings',
  moderations: '/moderations',
  ocr: '/ocr',
  images: '/images/generations',
  rerank: '/rerank',
  speech: '/audio/speech',
  transcriptions: '/audio/transcriptions',
  translations: '/audio/translations',
  'image-edits': '/images/edits',
  'image-variations': '/images/variations',
  responses: '/responses',
  // Services that follow OpenAI and also have Claude's format accept the bearer token there too.
  messages: '/messages',
  'messages-count': '/messages/count_tokens',
  'responses-count': '/responses/input_tokens',
} as const;

type Operation = keyof typeof paths;

/** A provider with OpenAI's dialects on OpenAI's paths. */
export interface OpenaiCompatibleRow<Own extends Operation>
  extends Pick<
    Provider,
    | 'alwaysReportsUsage'
    | 'baseUrl'
    | 'changesAccount'
    | 'basePaths'
    | 'closed'
    | 'documentation'
    | 'embeddings'
    | 'errorsVary'
    | 'hasRealtime'
    | 'id'
    | 'leavesOut'
    | 'listedAs'
    | 'maxTexts'
    | 'reasoningMember'
    | 'unconfirmed'
  > {
  /** Other dialects are translated to the first one with conversations. */
  readonly operations: readonly Own[];
  /** Those paths that differ from OpenAI's. */
  readonly paths?: { readonly [operation in NoInfer<Own>]?: string };
  readonly aliases?: readonly string[];
  readonly credential?: Provider['credential'];
  /** How the credential is sent, if not as a bearer token: `keyInHeader('x-api-key')`. */
  readonly headers?: Provider['headers'];
  /** The prefixes of its model names, if it serves no others. */
  readonly models?: readonly string[];
  /** Parameters that it does not accept, by wire name. */
  readonly drop?: readonly string[];
  /** Whether it knows the role `developer`. If absent, such messages of translated requests get the role `system`. */
  readonly developers?: true;
  /** Whether it loads a file in a chat that is an address. */
  readonly loadsFiles?: true;
  /** Content that it does not accept in chats. */
  readonly lacks?: readonly LackedContent[];
}

const mediaLoss: ProviderLoss = { member: 'turns.parts.media', why: 'Content that it does not accept is left out.' };

const chatLosses = (lacks: readonly LackedContent[]): readonly ProviderLoss[] => [
  ...(lacks.some((each) => each !== 'custom-tool') ? [mediaLoss] : []),
  ...customToolLosses(lacks),
];

/** Builds the provider for a row. */
export const openaiCompatible = <Own extends Operation>({
  operations,
  credential = 'required',
  developers,
  headers = bearer,
  lacks,
  paths: own = {},
  ...row
}: OpenaiCompatibleRow<Own>): Provider =>
  defineProvider({
    ...row,
    credential,
    ...(operations.some((each) => each === 'messages') ? { clientHeaders: claudeClientHeaders } : {}),
    ...(developers === true ? {} : { adapt: chatWithSystemRoles }),
    ...(developers !== true && operations.some((each) => each === 'chat') ? { adaptsMarked: developerMarks } : {}),
    ...(lacks === undefined ? {} : { lacks: { chat: lacks }, losses: chatLosses(lacks) }),
    speaks: Object.fromEntries(operations.map((operation) => [operation, own[operation] ?? paths[operation]])),
    headers,
  });
