/** A program that uses the client library of one language, and parts of the lines that it must print, in order. */
export interface ClientProgram {
  /** The program's file in the folder `programs`. */
  readonly file: string;
  readonly prints: readonly string[];
}

/** The client programs. The quick starts are copied verbatim from the libraries' READMEs. */
export const clientPrograms: readonly ClientProgram[] = [
  { file: 'quick-start.py', prints: ['"content": "This is gpt-4."'] },
  { file: 'quick-start-async.py', prints: ['"content": "This is gpt-4."'] },
  { file: 'quick-start.js', prints: ["content: 'This is gpt-4.'"] },
  {
    file: 'members.py',
    prints: [
      'whole: This is gpt-4.',
      'streamed: This is gpt-4.',
      'config: This is of-the-gold-plan.',
      'config, streamed: This is of-the-gold-plan.',
      'saved config: This is of-the-saved-config.',
      'request: This is gpt-4.',
    ],
  },
  {
    file: 'members.js',
    prints: [
      'whole: This is gpt-4.',
      'trace: trace-of-the-client',
      'streamed: This is gpt-4.',
      'config: This is of-the-gold-plan.',
      'target: config.targets[1]',
      'config, streamed: This is of-the-gold-plan.',
      'saved config: This is of-the-saved-config.',
      'request: trace-of-the-request',
    ],
  },
];

/** The traces that the gateway's log must contain afterwards. */
export const loggedTraces: readonly string[] = ['trace-of-the-client', 'trace-of-the-request'];
