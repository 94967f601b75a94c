import {
  all,
  facts,
  json,
  list,
  type Member,
  type Members,
  object,
  structural,
  text,
  textOr,
  value,
  variants,
} from '../../shared/checked-texts/members.ts';
import { content } from './parts.ts';

/** A page or a document that a search found. */
const found = object(
  {
    ...all('title content snippet text filepath', text('citation')),
    ...all(
      'url id chunk_id date last_updated score source rerank_score original_search_score filter_reason',
      structural,
    ),
    ...all('data_source_index search_queries', facts),
  },
  'citation',
);

const sources = list(textOr(found));

/**
 * https://platform.openai.com/docs/api-reference/chat/object: a page that the answer cites. OpenRouter adds files that it read
 * for the model: https://openrouter.ai/docs/features/multimodal/pdfs
 */
export const annotations: Member = list(
  variants(
    'type',
    {
      url_citation: object(
        {
          url_citation: object({ ...all('title content', text()), ...all('url start_index end_index', structural) }),
          type: structural,
        },
        'citation',
      ),
      file: object({ file: object({ content, name: text(), hash: structural }), type: structural }, 'citation'),
    },
    object(
      { url_citation: object({ ...all('title content', text()), url: structural }), file: object({ content }) },
      'citation',
    ),
  ),
);

/** https://learn.microsoft.com/azure/ai-foundry/openai/references/on-your-data#context */
export const searchContext: Member = object(
  { intent: json('citation'), citations: sources, all_retrieved_documents: sources },
  'citation',
);

/** Tools that a provider such as Groq ran itself: https://console.groq.com/docs/agentic-tooling */
export const executedTools: Member = list(
  object(
    {
      arguments: json(),
      output: text(),
      search_results: object({ results: sources, images: value('citation') }),
      browser_results: sources,
      code_results: list(object({ text: text(), ...all('png', structural), chart: value('server-tool') })),
      ...all('name index type', structural),
    },
    'server-tool',
  ),
);

/**
 * The members of Perplexity's answers that describe its search: https://docs.perplexity.ai/api-reference/chat-completions-post
 */
export const searched: Members = {
  search_results: sources,
  related_questions: value('citation'),
};
