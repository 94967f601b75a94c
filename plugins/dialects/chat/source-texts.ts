import type { Json, JsonObject } from '../../../schema/json.ts';
import { itemsOf, objectOf } from '../../../schema/loose.ts';
import { rootPointer } from '../../../schema/pointer.ts';
import type { TextSpan } from '../../sdk/dialect.ts';
import { type QuotedMembers, sourceSpans } from '../wire/source-spans.ts';
import { argumentsSpan, contentSpans, inside, type SpanPlace, valueSpan } from '../wire/text-spans.ts';

const none: readonly TextSpan[] = [];

const page: QuotedMembers = { within: ['url_citation'], members: ['title', 'content'] };
/** A page or a document that was found. */
export const foundPage: QuotedMembers = { members: ['title', 'content'] };
const result: QuotedMembers = { members: ['title', 'snippet'] };

/** The texts of files that a provider has read for the model. */
const fileSpans = (annotations: Json, place: SpanPlace): readonly TextSpan[] =>
  (itemsOf(annotations) ?? []).flatMap((each, index) =>
    contentSpans(objectOf(objectOf(each)?.file)?.content, inside(place, index, 'file', 'content')),
  );

const annotationSpans = (annotations: Json, place: SpanPlace): readonly TextSpan[] => [
  ...sourceSpans(annotations, place, page),
  ...fileSpans(annotations, { ...place, kind: 'citation' }),
];

/** https://learn.microsoft.com/azure/ai-foundry/openai/references/on-your-data#context */
const contextSpans = (context: JsonObject, place: SpanPlace): readonly TextSpan[] => [
  ...argumentsSpan(context.intent, inside({ ...place, kind: 'citation' }, 'intent')),
  ...sourceSpans(context.citations, inside(place, 'citations'), foundPage),
  ...sourceSpans(context.all_retrieved_documents, inside(place, 'all_retrieved_documents'), foundPage),
];

/** What a message quotes of its sources: annotations, and the documents that Azure has searched. */
export const messageSources = ({ annotations, context }: JsonObject, place: SpanPlace): readonly TextSpan[] => {
  const searched = objectOf(context);
  const noted = itemsOf(annotations)?.length ?? 0;
  if (noted === 0 && searched === undefined) return none;
  return [
    ...annotationSpans(annotations ?? null, inside(place, 'annotations')),
    ...contextSpans(searched ?? {}, inside(place, 'context')),
  ];
};

/** What an answer of Perplexity says of its search: https://docs.perplexity.ai/api-reference/chat-completions-post */
export const answerSources = ({
  search_results: results,
  related_questions: related,
}: JsonObject): readonly TextSpan[] => {
  if (results === undefined && related === undefined) return none;
  const place: SpanPlace = { at: rootPointer, kind: 'citation' };
  return [
    ...sourceSpans(results, inside(place, 'search_results'), result),
    ...valueSpan(related, inside(place, 'related_questions')),
  ];
};
