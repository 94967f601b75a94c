import { setTimeout } from 'node:timers/promises';
import type { GatewayProcess } from '../../support/gateways/gateway-process.ts';
import type { SavedKind } from './saved-kinds.ts';

type Text = string | undefined;

/**
 * A name, the text that was acknowledged, and the text that was sent but not acknowledged. Undefined: there is no such record.
 */
interface WrittenRecord {
  readonly slug: string;
  acknowledged: Text;
  sent?: { readonly text: Text };
}

export interface Expected {
  /** Statuses that mean that something was not written, or perhaps not. */
  readonly refusals: readonly number[];
  /** Called before each write. */
  isOver(): boolean;
}

/** The records of one kind that one writer has saved. */
export interface WrittenRecords {
  /** Writes one record after another until the gateway is gone. Rejects if a write is refused with an unexpected status. */
  write(gateway: GatewayProcess, expected?: Expected): Promise<void>;
  /** Returns the records that differ from what was acknowledged, and from what was sent without acknowledgement. */
  losses(gateway: GatewayProcess): Promise<readonly string[]>;
  readonly acknowledgements: number;
  readonly refusals: number;
}

const chosen = <Value>(values: readonly Value[]): Value | undefined =>
  values[Math.floor(Math.random() * values.length)];

export const writtenRecords = (kind: SavedKind, writer: string): WrittenRecords => {
  const records: WrittenRecord[] = [];
  let steps = 0;
  let acknowledgements = 0;
  let refusals = 0;

  const request = (gateway: GatewayProcess, { slug, acknowledged }: WrittenRecord, text: Text) => {
    if (text === undefined) return kind.remove(gateway, slug);
    return acknowledged === undefined ? kind.create(gateway, slug, text) : kind.update(gateway, slug, text);
  };

  /** A new record, or a change of an existing one. */
  const next = (): { readonly record: WrittenRecord; readonly text: Text } => {
    steps += 1;
    const known =
      Math.random() < 0.5
        ? chosen(records.filter(({ acknowledged, sent }) => acknowledged !== undefined && sent === undefined))
        : undefined;
    if (known !== undefined && Math.random() < 0.3) return { record: known, text: undefined };
    const record = known ?? { slug: `${kind.name}-${writer}-${steps}`, acknowledged: undefined };
    if (known === undefined) records.push(record);
    return { record, text: kind.name === 'key' ? record.slug : `text-${writer}-${steps}` };
  };

  return {
    async write(gateway, { refusals: allowed, isOver } = { refusals: [], isOver: () => false }) {
      while (!isOver()) {
        const { record, text } = next();
        record.sent = { text };
        const reply = await request(gateway, record, text).catch(() => undefined);
        if (reply === undefined) return;
        if (allowed.includes(reply.status)) {
          refusals += 1;
          await setTimeout(20);
          continue;
        }
        if (reply.status >= 300) throw new Error(`${record.slug}: ${reply.status} ${reply.text}`);
        acknowledgements += 1;
        record.acknowledged = text;
        delete record.sent;
      }
    },
    async losses(gateway) {
      const lost: string[] = [];
      for (const record of records) {
        const there = await kind.read(gateway, record.slug);
        const allowed = [record.acknowledged, ...(record.sent === undefined ? [] : [record.sent.text])];
        if (!allowed.includes(there)) lost.push(`${record.slug}: ${there} instead of ${allowed.join(' or ')}`);
        record.acknowledged = there;
        delete record.sent;
      }
      return lost;
    },
    get refusals() {
      return refusals;
    },
    get acknowledgements() {
      return acknowledgements;
    },
  };
};
