import { connect, type Socket } from 'node:net';

/** A client that sees every byte. */
export interface RawClient extends Disposable {
  readonly socket: Socket;
  send(text: string | Buffer): void;
  /** Resolves to everything received so far, as latin1, once it contains the text or the connection has ended. */
  until(text: string): Promise<string>;
  /** Everything received, once the connection has ended. */
  readonly ended: Promise<string>;
  /** Everything received so far. */
  readonly received: string;
}

export const rawClient = async (port: number): Promise<RawClient> => {
  const socket = connect(port, '127.0.0.1');
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  let received = '';
  const waiting: { readonly text: string; readonly resolve: (all: string) => void }[] = [];
  const wake = (over: boolean): void => {
    for (const waiter of waiting.splice(0)) {
      if (over || received.includes(waiter.text)) waiter.resolve(received);
      else waiting.push(waiter);
    }
  };
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
    wake(false);
  });
  const ended = new Promise<string>((resolve) => {
    socket.on('error', () => {});
    socket.on('close', () => {
      wake(true);
      resolve(received);
    });
  });
  return {
    socket,
    send: (text) => {
      socket.write(text);
    },
    until: (text) =>
      new Promise((resolve) => {
        if (received.includes(text) || socket.destroyed) resolve(received);
        else waiting.push({ text, resolve });
      }),
    ended,
    get received() {
      return received;
    },
    [Symbol.dispose]: () => {
      socket.destroy();
    },
  };
};
