/** Writes pairs of rows into the given store until it is killed, and prints the number of each pair that was written. */
import { openStore } from '../../../../../plugins/control/kernel/store/open/open-store.ts';

const [, , url = '', first = '0'] = process.argv;
const store = await openStore({ url });
process.stdout.write('open\n');
for (let number = Number(first); ; number += 1) {
  await store.write(async (writing) => {
    await writing
      .insertInto('settings')
      .values({ name: `left-${number}`, value: 'x'.repeat(2000) })
      .execute();
    await writing
      .insertInto('settings')
      .values({ name: `right-${number}`, value: 'x'.repeat(2000) })
      .execute();
  });
  process.stdout.write(`${number}\n`);
}
