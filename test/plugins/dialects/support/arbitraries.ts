/** Conversations and answers with everything that a dialect may express or report as lost. */
export { answers } from './arbitraries/answers.ts';
export { conversations } from './arbitraries/requests.ts';
