import { list, type Member, object, structural, text } from '../../shared/checked-texts/members.ts';

const stretch = object({
  documentIndex: structural,
  searchResultIndex: structural,
  start: structural,
  end: structural,
});

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Citation.html */
export const citation: Member = object(
  {
    title: text(),
    source: structural,
    sourceContent: list(object({ text: text() })),
    location: object({
      web: object({ url: structural, domain: structural }),
      documentChar: stretch,
      documentPage: stretch,
      documentChunk: stretch,
      searchResultLocation: stretch,
    }),
  },
  'citation',
);
