import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { MemoryBudget } from '../../../../runtime/http/body/memory-budget.ts';
import { Conversations } from '../../../../runtime/server/response-sockets/conversations.ts';
import { MessageSocket } from '../../../../runtime/server/response-sockets/message-socket.ts';
import { manualClock } from '../../streams/kit.ts';

class FakeSocket extends EventEmitter {
  readonly OPEN = 1;
  readyState = 1;
  readonly sent: string[] = [];

  send(text: string, done: () => void): void {
    this.sent.push(text);
    done();
  }

  leave(): void {
    this.readyState = 3;
    this.emit('close');
  }
}

const principal = { tenant: 'team' };

const setUp = () => {
  const socket = new FakeSocket();
  const clock = manualClock();
  const memoryBudget = new MemoryBudget(1_000_000);
  const conversations = new Conversations({ memoryBudget, principal, maxBytes: 100_000 });
  const answer = Promise.withResolvers<Response>();
  new MessageSocket({
    ...{ socket: socket as unknown as WebSocket, clock, memoryBudget, conversations, principal },
    ask: () => answer.promise,
    isDraining: () => false,
  });
  const create = () => {
    const text = JSON.stringify({ type: 'response.create', store: false, input: 'Hello?' });
    socket.emit('message', Buffer.from(text), false);
  };
  const complete = async () => {
    answer.resolve(Response.json({ id: 'resp_1', output: [] }));
    for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  return { socket, clock, memoryBudget, create, complete };
};

describe('a connection for responses', () => {
  it('waits for the next message, and remembers the response, once it is complete', async () => {
    const { socket, clock, memoryBudget, create, complete } = setUp();
    create();
    await complete();
    expect(socket.sent).toEqual([expect.stringContaining('response.completed')]);
    expect(clock.timers).toBe(2);
    expect(memoryBudget.held).toBeGreaterThan(0);
    socket.leave();
    expect(clock.timers).toBe(0);
    expect(memoryBudget.held).toBe(0);
  });

  it('holds no timer and no memory after its client has left, even if a response is complete later', async () => {
    const { socket, clock, memoryBudget, create, complete } = setUp();
    create();
    await new Promise((resolve) => setImmediate(resolve));
    socket.leave();
    await complete();
    expect(clock.timers).toBe(0);
    expect(memoryBudget.held).toBe(0);
  });
});
