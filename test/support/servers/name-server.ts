import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** The addresses of a name. "silence" means no answer at all. */
export type NameAnswer = readonly string[] | 'silence';

export interface NameServer {
  /** `127.0.0.1:port`. */
  readonly address: string;
  /** The queries so far, such as "A models.acme.com". */
  readonly questions: readonly string[];
  close(): Promise<void>;
}

const types: Readonly<Record<number, string>> = { 1: 'A', 28: 'AAAA' };

const readName = (message: Buffer): { readonly name: string; readonly end: number } => {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), end: at + 1 };
};

/** The name in the record refers to the one in the query. */
const toRecord = (address: string): Buffer =>
  Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]);

/** Starts a name server with the IPv4 addresses of names (RFC 1035). Names that `find` does not know do not exist. */
export const startNameServer = async (find: (name: string) => NameAnswer | undefined): Promise<NameServer> => {
  const socket = createSocket('udp4');
  const questions: string[] = [];
  socket.on('message', (message, { port, address }) => {
    const { name, end } = readName(message);
    const type = types[message.readUInt16BE(end)] ?? 'other';
    questions.push(`${type} ${name}`);
    const found = find(name);
    if (found === 'silence') return;
    const records = type === 'A' && found !== undefined ? found.map(toRecord) : [];
    const head = Buffer.alloc(12);
    message.copy(head, 0, 0, 2);
    head.writeUInt16BE(found === undefined ? 0x8183 : 0x8180, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(records.length, 6);
    socket.send(Buffer.concat([head, message.subarray(12, end + 4), ...records]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    close: async () => {
      const closed = once(socket, 'close');
      socket.close();
      await closed;
    },
  };
};
