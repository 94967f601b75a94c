import type { Members } from '../wire/members.ts';
import { refusal } from '../wire/refusal.ts';
import { claudeModel } from './claude-models.ts';

const hearBudget = (thinking: Members, body: Members, adapts: boolean): void => {
  if (adapts) {
    if (thinking.has('budget_tokens')) throw refusal(thinking.at, 'budget_tokens is not for adaptive thinking.');
    return;
  }
  const budget = thinking.count('budget_tokens');
  if (budget < 1024) throw refusal(`${thinking.at}.budget_tokens`, 'must be at least 1024.');
  if (budget >= body.count('max_tokens')) throw refusal('max_tokens', 'must be greater than thinking.budget_tokens.');
  if (body.has('top_k')) throw refusal('top_k', 'must be unset when thinking is enabled.');
};

/** https://platform.claude.com/docs/en/build-with-claude/extended-thinking */
export const hearThinking = (body: Members, model: string): boolean => {
  if (!body.has('thinking')) return false;
  const thinking = body.object('thinking').only(['type', 'budget_tokens', 'display']);
  const type = thinking.word('type', ['enabled', 'adaptive', 'disabled']);
  if (type === 'disabled') return false;
  const { adapts, hasBudget } = claudeModel(model);
  if (type === 'adaptive' ? !adapts : !hasBudget)
    throw refusal(`${thinking.at}.type`, `"${type}" is not supported for this model.`);
  hearBudget(thinking, body, type === 'adaptive');
  if (body.has('temperature') && body.count('temperature') !== 1)
    throw refusal('temperature', 'may only be set to 1 when thinking is enabled.');
  const forced = body.has('tool_choice') && ['any', 'tool'].includes(body.object('tool_choice').text('type'));
  if (forced) throw refusal('tool_choice', 'thinking may not be enabled when it forces tool use.');
  return true;
};
