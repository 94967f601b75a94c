/** Conversations and answers with everything that a dialect may have to say, or to declare as a loss. */
export { answers } from './arbitraries/answers.ts';
export { conversations } from './arbitraries/requests.ts';
