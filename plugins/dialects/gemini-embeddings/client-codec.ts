import type { JsonObject } from '../../../schema/json/json.ts';
import type { EmbeddingRequest } from '../../../schema/operations/embedding.ts';
import type { AnsweredOperation, ClientCodec } from '../../sdk/dialect/operation-codec.ts';
import { defined } from '../shared/json/defined.ts';
import { Member } from '../shared/json/member.ts';
import { type EmbeddedContent, readContent } from './read-content.ts';

const toRequest = (
  contents: readonly EmbeddedContent[],
  { purpose, dimensions }: Pick<EmbeddedContent, 'purpose' | 'dimensions'>,
  model: string | undefined,
): EmbeddingRequest =>
  defined({
    model,
    texts: contents.map(({ text }) => text),
    dimensions,
    purpose,
    more: [...new Set(contents.flatMap(({ more }) => more))],
  }) as EmbeddingRequest;

const toFigures = ({ usage: { input } }: AnsweredOperation<'embed'>): JsonObject => ({
  usageMetadata: { promptTokenCount: input, totalTokenCount: input },
});

/** https://ai.google.dev/api/embeddings#method:-models.batchembedcontents */
export const batchClientCodec: ClientCodec<'embed'> = {
  decodeRequest(body, { model }) {
    const wire = new Member('gemini-embeddings', '', body);
    const requests = wire.at('requests').items();
    const contents = requests.map(readContent);
    const [first] = contents;
    if (first === undefined) return wire.at('requests').fail('must have a request');
    // Other providers accept one setting for the whole list.
    const differs = contents.findIndex(
      ({ purpose, dimensions }) => purpose !== first.purpose || dimensions !== first.dimensions,
    );
    if (differs > 0) requests[differs]?.fail('must have the task type and the dimensions of the first request');
    return toRequest(contents, first, model);
  },
  encodeAnswer: (vectors, asked) => ({
    embeddings: vectors.map((vector) => ({ values: [...vector] })),
    ...toFigures(asked),
  }),
};

/** https://ai.google.dev/api/embeddings#method:-models.embedcontent */
export const singleClientCodec: ClientCodec<'embed'> = {
  decodeRequest(body, { model }) {
    const content = readContent(new Member('gemini-embed-content', '', body));
    return toRequest([content], content, model);
  },
  encodeAnswer: ([vector = []], asked) => ({ embedding: { values: [...vector] }, ...toFigures(asked) }),
};
