import type { Dialect } from '../../sdk/dialect/dialect.ts';
import { countDialect } from '../counts/count-dialect.ts';
import { responsesDeclaration } from '../counts/declarations.ts';
import { toCountedDialect } from '../counts/to-counted-dialect.ts';
import { responses } from '../responses/responses.ts';
import { all, object, structural } from '../shared/checked-texts/members.ts';

const counted = toCountedDialect(responses);

/** https://platform.openai.com/docs/api-reference/responses/input-tokens */
const acceptedMembers: ReadonlySet<string> = new Set([
  ...['conversation', 'input', 'instructions', 'model', 'parallel_tool_calls', 'personality', 'previous_response_id'],
  ...['reasoning', 'text', 'tool_choice', 'tools', 'truncation'],
]);

/** Token counts for OpenAI's responses: https://platform.openai.com/docs/api-reference/responses/input-tokens */
export const responsesCount: Dialect = countDialect({
  declaration: responsesDeclaration,
  counted,
  acceptedMembers,
  members: { request: counted.members.request, answer: object(all('object input_tokens', structural)) },
  tokens: 'input_tokens',
  otherMembers: { object: 'response.input_tokens' },
});
