import type { AnswerCodec, Dialect } from './dialect.ts';

/** How the answers of a dialect are read and written; undefined if it can only be passed on. */
export const findAnswerCodec = ({ conversation, answers }: Dialect): AnswerCodec | undefined => conversation ?? answers;
