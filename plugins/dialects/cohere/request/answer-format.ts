import type { AnswerFormat } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { defined } from '../../shared/json/defined.ts';
import type { Member } from '../../shared/json/member.ts';
import { type Lost, recordLosses } from '../../shared/request/lost.ts';

/** https://docs.cohere.com/docs/structured-outputs. Early clients send the schema as `schema`. */
export const decodeFormat = (format: Member): AnswerFormat | undefined => {
  if (format.absent) return undefined;
  switch (format.at('type').text()) {
    case 'text':
      return { kind: 'text' };
    case 'json_object': {
      const schema = format.at('json_schema').maybeObject() ?? format.at('schema').maybeObject();
      return schema === undefined ? { kind: 'json' } : { kind: 'schema', schema };
    }
    default:
      return format.at('type').fail('must be "text" or "json_object"');
  }
};

export const encodeFormat = (format: AnswerFormat | undefined, lost: Lost): JsonObject | undefined => {
  if (format === undefined) return undefined;
  if (format.kind === 'text') return { type: 'text' };
  if (format.kind === 'schema') recordLosses(format, ['name', 'strict', 'description'], { path: 'answerFormat', lost });
  return defined({ type: 'json_object', json_schema: format.kind === 'schema' ? format.schema : undefined });
};
