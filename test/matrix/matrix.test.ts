import { vendorDrivers } from './clients/client-drivers.ts';
import { describeMatrix } from './describe-matrix.ts';
import { scenarios } from './scenarios.ts';

describeMatrix({ section: 'vendors', clients: vendorDrivers, scenarios });
