import type { PromptKind } from '../../../../../schema/config/saved.ts';
import type { ParsedPrompt } from './parse-prompt.ts';

/** Whether a prompt is rendered to messages, or to the prompt of a completion. */
export const promptKind = ({ text }: Pick<ParsedPrompt, 'text'>): PromptKind =>
  text.kind === 'text' ? 'text' : 'chat';
