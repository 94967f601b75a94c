/** A provider for which `gw init` can write a config: the variable of its key, and a model. */
export interface InitProvider {
  readonly variable: string;
  readonly model: string;
}

export type InitProviderName = 'openai' | 'anthropic' | 'google' | 'groq' | 'mistral-ai' | 'deepseek';

/** Providers that need only a key. Any other is a change to the written config. */
export const initProviders: { readonly [Name in InitProviderName]: InitProvider } = {
  openai: { variable: 'OPENAI_API_KEY', model: 'gpt-5.4-mini' },
  anthropic: { variable: 'ANTHROPIC_API_KEY', model: 'claude-sonnet-5' },
  google: { variable: 'GEMINI_API_KEY', model: 'gemini-3.5-flash' },
  groq: { variable: 'GROQ_API_KEY', model: 'openai/gpt-oss-120b' },
  'mistral-ai': { variable: 'MISTRAL_API_KEY', model: 'mistral-large-latest' },
  deepseek: { variable: 'DEEPSEEK_API_KEY', model: 'deepseek-v4-flash' },
};

/** A question with its possible answers; the first is the default. */
interface QuestionRow<Choice extends string> {
  readonly ask: string;
  readonly choices: readonly [Choice, ...Choice[]];
}

const others = ['google', 'groq', 'mistral-ai', 'deepseek'] as const;

/** The questions, in order. */
export const questions: {
  readonly provider: QuestionRow<InitProviderName>;
  readonly fallback: QuestionRow<InitProviderName | 'none'>;
  readonly store: QuestionRow<'none' | 'sqlite' | 'postgres'>;
  readonly ci: QuestionRow<'github' | 'gitlab' | 'none'>;
} = {
  provider: { ask: 'Which provider should requests go to first?', choices: ['openai', 'anthropic', ...others] },
  fallback: {
    ask: 'Which provider should be used if that one fails?',
    choices: ['anthropic', 'openai', ...others, 'none'],
  },
  store: { ask: 'Where should keys, logs and limits be kept?', choices: ['none', 'sqlite', 'postgres'] },
  ci: { ask: 'Which CI should run check and test?', choices: ['github', 'gitlab', 'none'] },
};

export type Question = keyof typeof questions;

/** The answers to all questions. */
export type Answers = { readonly [Each in Question]: (typeof questions)[Each]['choices'][number] };
