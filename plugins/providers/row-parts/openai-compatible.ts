import type { JsonObject } from '../../../schema/json/json.ts';
import type { LackedContent } from '../../sdk/dialect/dialect.ts';
import { defineProvider, type Provider, type ProviderLoss } from '../../sdk/provider/provider.ts';
import { withSystemRoles } from './as-system.ts';
import { bearer } from './bearer.ts';
import { customToolLosses } from './custom-tool-losses.ts';

/** The paths of each dialect at providers that follow OpenAI. */
const paths = {
  chat: '/chat/completions',
  completions: '/completions',
  embeddings: '/embeddings',
  responses: '/responses',
} as const;

/** A provider that speaks OpenAI's dialects on OpenAI's paths and authenticates with a bearer token. */
export interface OpenaiCompatibleRow {
  readonly id: string;
  readonly documentation: string;
  /** With its version segment, without a slash at its end; absent if `custom_host` is required. */
  readonly baseUrl?: string | ((settings: JsonObject) => string);
  /** Other dialects are translated to the first one with conversations. */
  readonly operations: readonly (keyof typeof paths)[];
  readonly aliases?: readonly string[];
  readonly credential?: Provider['credential'];
  /** The prefixes of its model names, if it serves no others. */
  readonly models?: readonly string[];
  /** Parameters that it does not accept, by wire name. */
  readonly drop?: readonly string[];
  /** Whether it knows the role `developer`; absent: such messages of translated requests get the role `system`. */
  readonly developers?: true;
  /** Content that it does not accept in chats. */
  readonly lacks?: readonly LackedContent[];
}

const chatBody = (body: JsonObject, dialect: string): JsonObject => (dialect === 'chat' ? withSystemRoles(body) : body);

const mediaLoss: ProviderLoss = { member: 'turns.parts.media', why: 'Content that it does not accept is left out.' };

const chatLosses = (lacks: readonly LackedContent[]): readonly ProviderLoss[] => [
  ...(lacks.some((each) => each !== 'custom-tool') ? [mediaLoss] : []),
  ...customToolLosses(lacks),
];

/** Makes the provider of a row. */
export const openaiCompatible = ({
  operations,
  credential = 'required',
  developers,
  lacks,
  ...row
}: OpenaiCompatibleRow): Provider =>
  defineProvider({
    ...row,
    credential,
    ...(developers === true ? {} : { adapt: chatBody }),
    ...(lacks === undefined ? {} : { lacks: { chat: lacks }, losses: chatLosses(lacks) }),
    speaks: Object.fromEntries(operations.map((operation) => [operation, paths[operation]])),
    headers: bearer,
  });
