import { type Member, type Members, object, structural, text, variants } from '../../shared/checked-texts/members.ts';

const ofDocument = (...places: readonly string[]) =>
  object(
    {
      cited_text: text(),
      document_title: text(),
      type: structural,
      document_index: structural,
      file_id: structural,
      ...Object.fromEntries(places.map((place) => [place, structural])),
    },
    'citation',
  );

const found: Members = { cited_text: text(), title: text(), type: structural };

const searched = object(
  {
    ...found,
    source: structural,
    search_result_index: structural,
    start_block_index: structural,
    end_block_index: structural,
  },
  'citation',
);

/** Citations by the kind of their location: https://docs.anthropic.com/en/docs/build-with-claude/citations */
export const citation: Member = variants(
  'type',
  {
    char_location: ofDocument('start_char_index', 'end_char_index'),
    page_location: ofDocument('start_page_number', 'end_page_number'),
    content_block_location: ofDocument('start_block_index', 'end_block_index'),
    search_result_location: searched,
    web_search_result_location: object({ ...found, url: structural, encrypted_index: structural }, 'citation'),
  },
  ofDocument(),
);
