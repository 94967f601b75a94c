import {
  before,
  list,
  type Member,
  type Members,
  object,
  structural,
  textOr,
} from '../../shared/checked-texts/members.ts';
import { block } from './blocks.ts';
import { settings } from './settings.ts';

/** One turn of the conversation: https://docs.anthropic.com/en/api/messages */
export const turn: Member = object({
  content: textOr(list(block)),
  role: structural,
  clear_at: structural,
  output_config: object({ effort: structural }),
});

export const requestMembers: Members = {
  system: before(textOr(list(block))),
  messages: list(turn),
  ...settings,
};
