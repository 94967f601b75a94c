import type { EmbeddingPurpose } from '../../../schema/operations/embedding.ts';
import { field, spellings } from '../gemini/parts/field.ts';
import type { Member } from '../shared/json/member.ts';
import { purposeOf } from './task-types.ts';

/** One content for which a client requests the vector. */
export interface EmbeddedContent {
  readonly text: string;
  readonly purpose: EmbeddingPurpose | undefined;
  readonly dimensions: number | undefined;
  /** The members that a request without a dialect cannot express. */
  readonly more: readonly string[];
}

const known = spellings(['model', 'content', 'taskType', 'outputDimensionality']);

/** Joins the parts of a content, which become one vector: https://ai.google.dev/api/embeddings#method:-models.embedcontent */
const readText = (content: Member): string => {
  const parts = content
    .at('parts')
    .items()
    .map((part) =>
      part.at('text').absent ? part.fail('must have a text: only a provider of this format can read media') : part,
    );
  return parts.length === 0
    ? content.at('parts').fail('must have a text')
    : parts.map((part) => part.at('text').text()).join('\n');
};

const readPurpose = (type: Member): EmbeddingPurpose | undefined => {
  const word = type.maybeText();
  if (word === undefined || word === 'TASK_TYPE_UNSPECIFIED') return undefined;
  return purposeOf(word) ?? type.fail('must be a task type');
};

/** Reads one request: https://ai.google.dev/api/embeddings#EmbedContentRequest */
export const readContent = (request: Member): EmbeddedContent => ({
  text: readText(request.at('content')),
  purpose: readPurpose(field(request, 'taskType')),
  dimensions: field(request, 'outputDimensionality').maybeNumber(),
  more: Object.entries(request.object())
    .filter(([name, value]) => !known.has(name) && value !== null)
    .map(([name]) => `extensions.${request.dialect}.${name}`),
});
