import {
  instructions,
  list,
  type Member,
  type Members,
  object,
  structural,
  variants,
} from '../../shared/checked-texts/members.ts';
import { document, message, said } from './message.ts';

const settings: Members = {
  model: structural,
  stream: structural,
  tools: instructions,
  strict_tools: structural,
  tool_choice: structural,
  response_format: instructions,
  stop_sequences: instructions,
  citation_options: object({ mode: structural }),
  safety_mode: structural,
  max_tokens: structural,
  temperature: structural,
  seed: structural,
  frequency_penalty: structural,
  presence_penalty: structural,
  k: structural,
  p: structural,
  logprobs: structural,
  thinking: object({ type: structural, token_budget: structural }),
  priority: structural,
};

/** One turn of the conversation: https://docs.cohere.com/reference/chat */
export const turn: Member = variants(
  'role',
  { user: said, assistant: said, system: said, developer: said, tool: object(message, 'tool-result') },
  said,
);

export const requestMembers: Members = { messages: list(turn), documents: list(document), ...settings };
