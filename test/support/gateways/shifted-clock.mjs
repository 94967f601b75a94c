// Loaded before a program: shifts its time of day by the milliseconds in a file, whenever they change.
import { readFileSync } from 'node:fs';

const { now } = Date;
let shift = 0;
const read = () => {
  shift = Number(readFileSync(process.env.GW_TEST_CLOCK_SHIFT, 'utf8'));
};
read();
setInterval(read, 20).unref();
Date.now = () => now() + shift;
