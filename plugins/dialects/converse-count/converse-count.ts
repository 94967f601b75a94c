import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';
import { findObject } from '../../../schema/json/loose.ts';
import { parseJson } from '../../../schema/json/parse-json.ts';
import type { ConversationCodec, Dialect } from '../../sdk/dialect/dialect.ts';
import { converse } from '../converse/converse.ts';
import { decodeRequest as decodeConverse } from '../converse/request/decode-request.ts';
import { countDialect } from '../counts/count-dialect.ts';
import { converseDeclaration } from '../counts/declarations.ts';
import type { NestedRequest } from '../counts/nested-texts.ts';
import { toCountedDialect } from '../counts/to-counted-dialect.ts';
import { decodeRequest as decodeClaude } from '../messages/request/decode-request.ts';
import { object, structural } from '../shared/checked-texts/members.ts';
import { Member } from '../shared/json/member.ts';

const counted = toCountedDialect(converse);

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseTokensRequest.html */
const acceptedMembers: ReadonlySet<string> = new Set([
  'additionalModelRequestFields',
  'messages',
  'system',
  'toolConfig',
]);

/** The body of another operation is base64, so checks cannot read its text. */
const findRequest = ({ input }: JsonObject): NestedRequest | undefined => {
  const inside = findObject(input);
  const body = findObject(inside?.converse);
  const hasOther = inside?.invokeModel !== undefined && inside.invokeModel !== null;
  return body === undefined || hasOther ? undefined : { body, path: ['input', 'converse'] };
};

/**
 * Each model has its own format there. Claude's is that of messages: https://docs.anthropic.com/en/api/claude-on-amazon-bedrock
 */
const decodeInvoked: (
  body: Member,
  options: Parameters<ConversationCodec['decodeRequest']>[1],
) => ReturnType<ConversationCodec['decodeRequest']> = (body, options) => {
  const wire = parseJson(Buffer.from(body.text(), 'base64').toString());
  if (!isJsonObject(wire) || wire.anthropic_version === undefined)
    return body.fail('must be a request to a Claude model: tokens of other models are counted in the converse format');
  const { anthropic_version: _unused, ...request } = wire;
  const { model } = options;
  return decodeClaude(model === undefined ? request : { ...request, model }, options, body.path);
};

/** Amazon Bedrock's CountTokens: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_CountTokens.html */
export const converseCount: Dialect = countDialect({
  declaration: converseDeclaration,
  counted,
  acceptedMembers,
  findRequest,
  decode(body, options) {
    const request = findRequest(body);
    if (request !== undefined) return decodeConverse(request.body, options, request.path.join('.'));
    const input = new Member(converseDeclaration.id, '', body).at('input');
    const [one, other] = [input.at('converse'), input.at('invokeModel')];
    if (one.absent === other.absent) return input.fail('must have either converse or invokeModel');
    one.maybeObject();
    return decodeInvoked(other.at('body'), options);
  },
  write: (request) => ({ input: { converse: request } }),
  members: {
    request: object({ input: object({ converse: counted.members.request }) }),
    answer: object({ inputTokens: structural }),
  },
  tokens: 'inputTokens',
});
