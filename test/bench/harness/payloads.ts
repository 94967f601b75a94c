/** The benchmark's requests and its upstream's answers, in sizes of everyday traffic. */

/** The place of the number in a varied request. */
export const numberMark = '#0000000000#';

interface ChatOptions {
  readonly stream?: boolean;
  /** Kilobytes of the prompt; about 1 KB for the whole request if absent. */
  readonly promptKb?: number;
  /** Whether the request contains `numberMark`. */
  readonly isVaried?: boolean;
}

/** A chat request of everyday size. */
export const chatRequest = ({ stream = false, promptKb = 0, isVaried = false }: ChatOptions = {}): string =>
  JSON.stringify({
    model: 'gpt-4o-mini',
    messages: [
      { role: 'system', content: 'You answer questions about bridges in two sentences, with the year they opened.' },
      ...(isVaried ? [{ role: 'user', content: `Question ${numberMark}.` }] : []),
      {
        role: 'user',
        content: 'x'.repeat(promptKb * 1024) || 'Which bridge joins the two halves of the old town? '.repeat(12),
      },
    ],
    temperature: 0.2,
    max_tokens: 300,
    ...(stream ? { stream: true } : {}),
  });

/** The usage that a whole answer reports. */
export const chatUsage = { prompt_tokens: 180, completion_tokens: 160, total_tokens: 340 } as const;

/** A whole answer of about 1 KB. */
export const chatAnswer: string = JSON.stringify({
  id: 'chatcmpl-bench',
  object: 'chat.completion',
  created: 1_790_000_000,
  model: 'gpt-4o-mini',
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: 'The stone bridge of 1896 joins both halves of the old town. '.repeat(12),
      },
      logprobs: null,
      finish_reason: 'stop',
    },
  ],
  usage: chatUsage,
});

/** How many events a benchmark stream has; the text in each is `contentMark`. */
export const streamEvents = 100;
export const contentMark = ' arch';

const chunk = (choice: object): string =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-bench',
    object: 'chat.completion.chunk',
    created: 1_790_000_000,
    model: 'gpt-4o-mini',
    system_fingerprint: 'fp_bench',
    choices: [{ index: 0, logprobs: null, finish_reason: null, ...choice }],
  })}\n\n`;

/** The events of one stream: a role, text, a finish reason, the end mark. */
export const streamFrames: readonly string[] = [
  chunk({ delta: { role: 'assistant', content: '' } }),
  ...Array.from({ length: streamEvents - 2 }, () => chunk({ delta: { content: contentMark } })),
  `${chunk({ delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`,
];
