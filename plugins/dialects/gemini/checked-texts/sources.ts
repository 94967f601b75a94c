import { echo, list, type Member, type Members, object, structural, text } from '../../shared/checked-texts/members.ts';
import type { Mark } from './parts.ts';

const review = object({
  title: text(),
  review: text(),
  relativePublishTimeDescription: text(),
  authorAttribution: object({ displayName: text(), uri: structural, photoUri: structural }),
  flagContentUri: structural,
  googleMapsUri: structural,
  reviewId: structural,
});

const kept = object({
  key: text(),
  stringValue: text(),
  stringListValue: object({ values: list(text()) }),
  numericValue: structural,
});

const ragChunk = object({
  text: text(),
  chunkId: structural,
  fileId: structural,
  pageSpan: object({ firstPage: structural, lastPage: structural }),
});

const named: Members = { title: text(), text: text(), uri: structural };

/** The members of a source, depending on where it was found: https://ai.google.dev/api/generate-content#groundingchunk */
const chunk = (mark: Mark): Member =>
  object({
    web: object({ ...named, domain: structural }),
    retrievedContext: object({
      ...named,
      documentName: structural,
      ragChunk: mark(ragChunk),
      customMetadata: mark(list(kept)),
      fileSearchStore: structural,
      mediaId: structural,
      pageNumber: structural,
    }),
    maps: object({
      ...named,
      placeId: structural,
      placeAnswerSources: mark(
        object({
          reviewSnippet: list(review),
          reviewSnippets: list(review),
          flagContentUri: structural,
        }),
      ),
      route: object({ distanceMeters: structural, duration: structural, encodedPolyline: structural }),
    }),
    image: object({ title: mark(text()), domain: structural, imageUri: structural, sourceUri: structural }),
  });

/** The members about searches and their results: https://ai.google.dev/api/generate-content#groundingmetadata */
export const groundingMetadata = (mark: Mark): Member =>
  object(
    {
      webSearchQueries: list(text('server-tool')),
      imageSearchQueries: list(text('server-tool')),
      retrievalQueries: list(text('server-tool')),
      groundingChunks: list(chunk(mark)),
      // They repeat text of the answer, and the search queries.
      groundingSupports: echo,
      searchEntryPoint: echo,
      retrievalMetadata: object({ googleSearchDynamicRetrievalScore: structural }),
      googleMapsWidgetContextToken: structural,
      sourceFlaggingUris: list(object({ sourceId: structural, flagContentUri: structural })),
    },
    'citation',
  );

const recitation = (mark: Mark): Member =>
  object({
    title: text(),
    startIndex: structural,
    endIndex: structural,
    uri: structural,
    license: mark(text()),
    publicationDate: object({ year: structural, month: structural, day: structural }),
  });

/** Passages that the model recited. Their list has another name on Vertex AI. */
export const citationMetadata = (mark: Mark): Member => {
  const recitations = list(recitation(mark));
  return object({ citationSources: recitations, citations: recitations }, 'citation');
};
