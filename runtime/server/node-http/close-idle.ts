import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { currentAnswer } from './current-answer.ts';

/** Returns the answer that the client has not taken completely, although all of it has been handed over. */
const unsentAnswer = (socket: Socket): ServerResponse | undefined => {
  const answer = currentAnswer(socket);
  return answer?.writableEnded === true && !answer.writableFinished ? answer : undefined;
};

/**
 * Keeps node:http from closing connections whose answer is still being sent. It considers a connection idle as soon as the answer
 * was handed over, and whatever a slow client has not taken by then would be lost.
 */
export const closeOnlyIdle = (server: Server, connections: ReadonlySet<Socket>): void => {
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    const unsent = Array.from(connections, unsentAnswer).filter((answer) => answer !== undefined);
    // This is the property that node:http checks.
    for (const answer of unsent) answer.finished = false;
    closeIdle();
    for (const answer of unsent) answer.finished = true;
  };
};
