import { isDeepStrictEqual } from 'node:util';
import type { AnswerFormat } from '../../../../schema/conversation/conversation.ts';
import { exactText } from '../../../../schema/json/exact-numbers.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { parseExactObject } from '../../../../schema/json/parse-json.ts';
import { claudeSchema } from '../../shared/claude/claude-schema.ts';
import { defined } from '../../shared/json/defined.ts';
import type { Member } from '../../shared/json/member.ts';
import type { Lost } from '../../shared/request/lost.ts';

/**
 * Decodes `textFormat`, in which the schema is JSON text:
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_OutputFormat.html
 */
export const decodeTextFormat = (format: Member): AnswerFormat | undefined => {
  if (format.absent) return undefined;
  const wire = format.at('structure').at('jsonSchema');
  const schema = parseExactObject(wire.at('schema').text()) ?? wire.at('schema').fail('must be a JSON object as text');
  return defined({
    kind: 'schema' as const,
    schema,
    name: wire.at('name').maybeText(),
    description: wire.at('description').maybeText(),
  });
};

export const textFormat = (
  schema: JsonObject,
  { name, description }: { readonly name?: string | undefined; readonly description?: string | undefined },
): JsonObject => ({
  type: 'json_schema',
  structure: { jsonSchema: defined({ schema: exactText(schema), name, description }) },
});

/** Returns undefined for JSON without a schema, which only some models support, and for plain text. */
export const encodeTextFormat = (format: AnswerFormat | undefined, lost: Lost): JsonObject | undefined => {
  if (format?.kind !== 'schema') return undefined;
  if (format.strict !== undefined) lost.push('answerFormat.strict');
  const schema = claudeSchema(format.schema);
  if (!isDeepStrictEqual(schema, format.schema)) lost.push('answerFormat.schema');
  return textFormat(schema, format);
};
