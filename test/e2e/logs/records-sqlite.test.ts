import { describeRecords } from './support/describe-records.ts';

describeRecords({ name: 'a file of SQLite', isPostgres: false });
