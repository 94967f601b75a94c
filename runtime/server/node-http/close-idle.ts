import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { currentAnswer } from './current-answer.ts';

/** The answer whose bytes still wait to be taken by the client, though all of it has been handed over. */
const unsentAnswer = (socket: Socket): ServerResponse | undefined => {
  const answer = currentAnswer(socket);
  return answer?.writableEnded === true && !answer.writableFinished ? answer : undefined;
};

/**
 * Has node:http close no connection whose answer is still on its way: it takes one for idle as soon as the answer was
 * handed over, and what a slow client has not taken by then would be lost.
 */
export const closeOnlyIdle = (server: Server, connections: ReadonlySet<Socket>): void => {
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    const unsent = Array.from(connections, unsentAnswer).filter((answer) => answer !== undefined);
    // This is where node:http looks.
    for (const answer of unsent) answer.finished = false;
    closeIdle();
    for (const answer of unsent) answer.finished = true;
  };
};
